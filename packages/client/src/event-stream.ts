import type { OnFailure } from "./retry.ts";

export type ServerEvent = { id: string; type: string; data: string };

/** The server sends a comment every 15 s: a stream that is silent for this long is dead. */
const silenceMs = 45_000;

/**
 * The events of a `text/event-stream` body, as the HTML standard parses it (9.2.6), with the id that holds for each. EventSource
 * would do the same and cannot send a bearer token.
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
      const { done, value } = await unlessSilent(reader.read());
      if (done) return; // an event without its blank line is not one
      // A chunk may end between \r and \n: what follows the last line end waits for the next chunk.
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
    reader.cancel().catch(() => undefined); // a stream that broke needs no cancelling
  }
}

async function unlessSilent<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("The stream of events went silent.")), silenceMs);
  });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}

type Resuming = {
  /** Opens the stream after the last event that came. Undefined: there are no more. */
  open(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array> | null | undefined>;
  /** A failure to open it, or a stream that broke off or ended; an event in between starts the count again. */
  onFailure: OnFailure;
};

/** The events of a stream that is opened again whenever it ends. The caller leaves the loop at the last one. */
export async function* resumeEvents({ open, onFailure }: Resuming): AsyncGenerator<ServerEvent, void, undefined> {
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
