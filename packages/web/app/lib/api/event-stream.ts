export type ServerEvent = { id: string; type: string; data: string };

/**
 * The events of a `text/event-stream` body, as the HTML standard parses it (9.2.6). EventSource would do the same and
 * cannot send a bearer token.
 */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = { id: "", type: "", data: "" };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return; // an event without its blank line is not one
      // A chunk may end between \r and \n: what follows the last line end waits for the next chunk.
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          event = withLine(event, line);
          continue;
        }
        if (event.data !== "") yield { ...event, type: event.type || "message", data: event.data.slice(0, -1) };
        event = { id: event.id, type: "", data: "" };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // a stream that broke cannot be cancelled, and need not be
  }
}

function withLine(event: ServerEvent, line: string): ServerEvent {
  const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  if (field === "data") return { ...event, data: `${event.data}${value}\n` };
  if (field === "event") return { ...event, type: value };
  if (field === "id") return { ...event, id: value };
  return event;
}
