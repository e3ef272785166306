import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { readEvents, resumeEvents, type ServerEvent } from "./event-stream.ts";

async function eventsOf(chunks: Uint8Array<ArrayBuffer>[]): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}
const bytes = (words: string) => new TextEncoder().encode(words);

const stream =
  'id: 1\nevent: file\ndata: {"name":"Größe"}\n\n: still here\n\nid: 2\r\ndata: a\r\ndata: b\r\n\r\ndata: cut off';
const events = [
  { id: "1", type: "file", data: '{"name":"Größe"}' },
  { id: "2", type: "message", data: "a\nb" },
];

test("events come out whole wherever the network cuts the stream, even within a letter", async () => {
  const whole = bytes(stream);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), async (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), whole.length];
      const chunks = places.slice(1).map((place, index) => whole.slice(places[index], place));
      expect(await eventsOf(chunks)).toEqual(events);
    }),
  );
});

test("a line may hold every sign but an end of line: names of files have U+2028 and U+2029", async () => {
  const data = '{"name":"Sunset\u2028 beach\u2029.jpg"}';
  expect(await eventsOf([bytes(`id: 7\nevent: file\ndata: ${data}\n\n`)])).toEqual([{ id: "7", type: "file", data }]);
});

test("a heartbeat and an event that was cut off are no events", async () => {
  expect(await eventsOf([bytes(": still here\n\n"), bytes("data: half")])).toEqual([]);
});

/** A stream that sends events with these ids and then ends. */
const streamOf = (...ids: string[]) =>
  new Response(ids.map((id) => `id: ${id}\ndata: {}\n\n`).join("")).body ?? undefined;

test("a stream that ends is opened after the last event, and an event starts the count of failures again", async () => {
  const streams = [streamOf("1", "2"), undefined, streamOf(), streamOf("3")];
  const opened: (string | undefined)[] = [];
  const failed: number[] = [];
  const received: string[] = [];
  const events = resumeEvents({
    open: async (lastEventId) => {
      opened.push(lastEventId);
      const stream = streams.shift();
      if (!stream) throw new TypeError("away");
      return stream;
    },
    onFailure: async (_, failures) => void failed.push(failures),
  });
  for await (const { id } of events) {
    received.push(id);
    if (id === "3") break;
  }
  expect(received).toEqual(["1", "2", "3"]);
  expect(opened).toEqual([undefined, "2", "2", "2"]);
  expect(failed).toEqual([1, 2, 3]);
});

test("who gives up after a failure ends the events with it, and an answer without a body ends them in peace", async () => {
  const count = async (open: Parameters<typeof resumeEvents>[0]["open"]) => {
    let received = 0;
    for await (const _ of resumeEvents({ open, onFailure: (thrown) => Promise.reject(thrown) })) received += 1;
    return received;
  };
  await expect(count(async () => streamOf("1"))).rejects.toThrow("broke off");
  expect(await count(async () => null)).toBe(0);
});

test("a stream without a sign of life for 45 s has broken", async () => {
  vi.useFakeTimers();
  try {
    const silent = expect(readEvents(new ReadableStream()).next()).rejects.toThrow("silent");
    await vi.advanceTimersByTimeAsync(45_000);
    await silent;
  } finally {
    vi.useRealTimers();
  }
});
