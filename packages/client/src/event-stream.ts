import { networkError } from "./error.ts";

/** The server sends a comment every 15 s: a stream that is silent for this long is dead. */
const silenceMs = 45_000;

/**
 * The events of a `text/event-stream` body, as the HTML standard parses it (9.2.6), with the id that holds for each.
 * @throws TintypeError `network` for a stream that went silent
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; data: string }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await unlessSilent(reader.read());
      if (done) return;
      // A chunk may end between \r and \n: what follows the last line end waits for the next chunk.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, field, text = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === "id") id = text;
        if (field === "data") data.push(text);
        if (line !== "" || data.length === 0) continue;
        yield { id, data: data.join("\n") };
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
    timer = setTimeout(() => reject(networkError(new Error("The stream of events went silent."))), silenceMs);
  });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}
