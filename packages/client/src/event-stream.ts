import type { OnFailure } from "./retry.ts";

export type ServerEvent = { id: string; type: string; data: string };

/** The server sends a comment every 15 s, so a stream that is silent for this long is dead. */
const silenceMs = 45_000;

/**
 * The events of a `text/event-stream` body, parsed as the HTML standard says (9.2.6), each with its last event id.
 * EventSource does the same but cannot send a bearer token.
 * @throws TypeError for a stream that went silent or broke, as fetch does
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let type = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await withSilenceTimeout(reader.read());
      if (done) return; // an event without its closing blank line is discarded
      // A chunk may end between \r and \n: the text after the last line end waits for the next chunk.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, field, text = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (field === "id") id = text;
        if (field === "event") type = text;
        if (field === "data") data.push(text);
        if (line !== "") continue;
        if (data.length > 0) yield { id, type: type || "message", data: data.join("\n") };
        type = "";
        data = [];
      }
    }
  } finally {
    reader.cancel().catch(() => undefined); // a broken stream need not be cancelled
  }
}

async function withSilenceTimeout<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("The stream of events went silent.")), silenceMs);
  });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}

type ResumeOptions = {
  /** Opens the stream after the last event received. Undefined: there are no more events. */
  open(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array> | null | undefined>;
  /** Called when opening fails, or the stream breaks or ends. An event in between resets the count. */
  onFailure: OnFailure;
};

/** The events of a stream that is reopened whenever it ends. The caller leaves the loop after the final event. */
export async function* resumeEvents({ open, onFailure }: ResumeOptions): AsyncGenerator<ServerEvent, void, undefined> {
  let lastEventId: string | undefined;
  let failures = 0;
  for (;;) {
    try {
      const body = await open(lastEventId);
      if (!body) return;
      for await (const event of readEvents(body)) {
        failures = 0;
        lastEventId = event.id;
        yield event;
      }
      throw new TypeError("The stream of events broke off.");
    } catch (thrown) {
      failures += 1;
      await onFailure(thrown, failures);
    }
  }
}
