import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents, type ServerEvent } from "./event-stream.ts";

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

test("a heartbeat and an event that was cut off are no events", async () => {
  expect(await eventsOf([bytes(": still here\n\n"), bytes("data: half")])).toEqual([]);
});
