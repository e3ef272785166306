import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { createApp } from "./app.ts";
import { aheadAfter, createSlowReaders } from "./slow-readers.ts";

const waitLimit = { timeout: 60_000, interval: 10 };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server whose clock only `pass` advances. `open` is how many of its sources are open. */
async function startServer() {
  let nowMs = 0;
  const readers = createSlowReaders({ now: () => nowMs });
  const app = await createApp({
    logger: createLog("silent"),
    cookieKeys: ["a secret that is long enough for the tests"],
    trustedProxies: undefined,
    origin: "http://localhost",
    requestsPerMinute: 1000,
    rateLimits: createMemoryRateLimits({ clock: systemClock }),
    networkOf: () => "network",
    readers,
  });
  const state = { open: 0, written: 0 };
  app.get("/picture", async (_request, reply) => {
    state.open++;
    const source = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(64_000, "x");
      })(),
    );
    source.once("close", () => state.open--);
    return reply.header("content-length", 1e9).send(source);
  });
  app.get("/events", async (_request, reply) => {
    reply.hijack();
    state.open++;
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => {
      state.written += 64_000;
      reply.raw.write(`data: ${"x".repeat(64_000)}\n\n`);
    }, 1);
    reply.raw.once("close", () => {
      clearInterval(timer);
      state.open--;
    });
  });
  app.get("/quiet", async (_request, reply) => {
    reply.hijack();
    state.open++;
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    reply.raw.write(": hello\n\n");
    reply.raw.once("close", () => state.open--);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => sockets.add(socket));
  ends.push(() => app.close());
  return {
    state,
    port: (app.server.address() as AddressInfo).port, // a TCP server has one
    /** Until the kernel takes no more of any connection. */
    async untilFull() {
      let before = -1;
      await vi.waitFor(
        () => {
          const taken = [...sockets].reduce(
            (sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength,
            0,
          );
          const isSame = taken === before;
          before = taken;
          expect(isSame && [...sockets].every(({ writableLength }) => writableLength > 0)).toBe(true);
        },
        { ...waitLimit, interval: 200 },
      );
    },
    pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1_000;
        readers.check();
      }
    },
  };
}

async function ask(port: number, path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  ends.push(() => socket.destroy());
  return socket;
}

test.each(["/picture", "/events"])("clients that never read %s hold nothing for long", async (path) => {
  const { port, state, untilFull, pass } = await startServer();
  for (let i = 0; i < 5; i++) await ask(port, path);
  await vi.waitFor(() => expect(state.open).toBe(5), waitLimit);
  await untilFull();
  pass(20);
  expect(state.open).toBe(5);
  pass(240);
  await vi.waitFor(() => expect(state.open).toBe(0), waitLimit);
});

test("a client that reads slowly is served, and a stream without news stays open", async () => {
  const { port, state, pass } = await startServer();
  const quiet = await ask(port, "/quiet");
  await once(quiet, "data");
  pass(10_000);
  expect(state.open).toBe(1);
  quiet.destroy();
  await vi.waitFor(() => expect(state.open).toBe(0), waitLimit);
  const slow = await ask(port, "/picture");
  await vi.waitFor(() => expect(state.open).toBe(1), waitLimit);
  let read = 0;
  slow.on("data", (bytes: Buffer) => {
    read += bytes.length;
  });
  for (let step = 1; step <= 10; step++) {
    const before = read;
    slow.resume();
    await vi.waitFor(() => expect(read - before).toBeGreaterThan(8e6), waitLimit);
    slow.pause();
    pass(200);
    expect(state.open).toBe(1);
  }
});

test("the lowest rate keeps a client whose bytes are taken in steps of a third of the largest buffer", () => {
  const rate = { bytesPerSecond: 8_000, firstBytes: 240_000, aheadBytes: 2_000_000 };
  const stepBytes = 4_194_304 / 3;
  // The buffer fills at once.
  let ahead = aheadAfter(rate.firstBytes, { takenBytes: 4_194_304, owedMs: 0 }, rate);
  for (let step = 0; step < 1_000; step++) {
    ahead = aheadAfter(ahead, { takenBytes: 0, owedMs: (stepBytes / 8_000) * 1000 }, rate);
    expect(ahead).toBeGreaterThan(0);
    ahead = aheadAfter(ahead, { takenBytes: stepBytes, owedMs: 0 }, rate);
  }
  expect(aheadAfter(ahead, { takenBytes: 0, owedMs: 251_000 }, rate)).toBeLessThan(0);
});
