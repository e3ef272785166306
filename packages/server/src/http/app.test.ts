import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "@tintype/contract";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { type AppOptions, createApp } from "./app.ts";
import { minBytes } from "./upload.ts";

const bareApp = (more: Partial<Pick<AppOptions, "silentMs" | "minRate" | "isStopping">> = {}) =>
  createApp({
    logger: createLog("silent"),
    cookieKeys: ["a secret that is long enough for the tests"],
    trustedProxies: undefined,
    origin: "http://localhost",
    requestsPerMinute: 100,
    rateLimits: createMemoryRateLimits({ clock: systemClock }),
    networkOf: () => "network",
    // The tests send 8 MB, which no buffer of a connection holds.
    bodyMemory: { allBytes: 32e6, networkBytes: 16e6 },
    ...more,
  });

test("a sender that falls silent amid its body is cut off, and neither a slow one nor a slow answer is", async () => {
  const silentMs = 1_200; // more than a busy machine keeps this process waiting between two letters
  const app = await bareApp({ silentMs });
  app.post("/slow", async () => {
    await wait(2 * silentMs);
    return { whole: true };
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const body = '{"a":"0123456789"}';
  const begin = () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    return { socket, said: text(socket) };
  };
  const silent = begin();
  silent.socket.write(body.slice(0, 5));
  expect(await silent.said).toBe("");
  const slow = begin();
  for (const letter of body) {
    slow.socket.write(letter);
    await wait(silentMs / 8);
  }
  expect(await slow.said).toContain('{"whole":true}');
  await app.close();
});

test("a sender whose bytes the server is slow to read is not taken for silent", async () => {
  const silentMs = 1_000;
  const app = await bareApp({ silentMs });
  app.addContentTypeParser("application/late", async (_request: unknown, payload: Readable) => {
    await wait(2.5 * silentMs);
    return text(payload);
  });
  app.post("/late", { bodyLimit: 10_000_000 }, async (request) => ({ length: String(request.body).length }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const socket = connect(port, "127.0.0.1");
  const said = text(socket).catch(String);
  socket.write(
    "POST /late HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/late\r\ncontent-length: 8000000\r\n\r\n",
  );
  socket.write("a".repeat(8_000_000));
  expect(await said).toContain('{"length":8000000}');
  await app.close();
});

test("a call without bytes in its body waits for a slow answer as any other", async () => {
  const silentMs = 200;
  const app = await bareApp({ silentMs });
  app.delete("/slow", async () => {
    await wait(3 * silentMs);
    return { whole: true };
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const socket = connect(port, "127.0.0.1");
  socket.write("DELETE /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  expect(await text(socket)).toContain('{"whole":true}');
  await app.close();
});

test("a connection is closed when it is idle, also where its last body was empty or came after the answer", async () => {
  const app = await bareApp();
  app.server.keepAliveTimeout = 1_000; // the late bytes come before
  app.post("/empty", async () => ({ whole: true }));
  app.post("/refused", { config: { takesForm: true } }, async (_request, reply) => reply.code(403).send({ no: true }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const empty = connect(port, "127.0.0.1");
  empty.write("POST /empty HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  const late = connect(port, "127.0.0.1");
  late.write(
    "POST /refused HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 10\r\n\r\n01234",
  );
  late.once("data", () => late.write("56789"));
  const [saidEmpty, saidLate] = await Promise.all([text(empty), text(late)]);
  expect(saidEmpty).toContain('{"whole":true}');
  expect(saidLate).toContain('{"no":true}');
  await app.close();
});

test("a call that comes while the server closes is answered by its route, with a problem that names a time", async () => {
  const app = await bareApp();
  app.get("/full", async () => {
    throw new DomainError("full", { retryAfterSeconds: 5 });
  });
  const { promise: isClosing, resolve: tellClosing } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  app.addHook("preClose", async () => {
    tellClosing();
    await held;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const closed = app.close();
  await isClosing;
  const answer = await fetch(`http://127.0.0.1:${port}/full`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.json()).toMatchObject({ code: "full", retryable: true });
  release();
  await closed;
});

test("a server that closes waits for the answers under way, and not for connections that are kept after them", async () => {
  const app = await bareApp();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: tellAsked } = Promise.withResolvers<void>();
  app.get("/whole", async () => {
    tellAsked();
    await held;
    return { whole: true };
  });
  async function* parts() {
    yield "begun ";
    await held;
    yield "ended";
  }
  app.get("/parts", async (_request, reply) => reply.send(Readable.from(parts())));
  const { promise: isClosing, resolve: tellClosing } = Promise.withResolvers<void>();
  app.addHook("preClose", async () => tellClosing());
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const call = (path: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return { socket, said: text(socket) };
  };
  const [parted, whole] = [call("/parts"), call("/whole")];
  await Promise.all([once(parted.socket, "data"), isAsked]);
  const closed = app.close();
  await isClosing;
  release();
  await closed;
  expect(await parted.said).toContain("ended");
  expect(await whole.said).toMatch(/connection: close.*"whole":true/is);
});

test("a sender has 30 s for its first 64 kB, and then sends 8 kB a second on average", () => {
  const rate = { graceMs: 30_000, firstBytes: 64_000, bytesPerSecond: 8_000 };
  expect([0, 29_999, 30_000, 40_000, 60_000].map((elapsedMs) => minBytes(elapsedMs, rate))).toEqual([
    0, 0, 64_000, 144_000, 304_000,
  ]);
});

test("a sender that trickles its body is cut off, and a server that is slow to read is not", async () => {
  const app = await bareApp({ minRate: { graceMs: 400, firstBytes: 5_000, bytesPerSecond: 1_000_000 } });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  // More than the buffers on its way take.
  const unreadBytes = 8_000_000;
  app.addContentTypeParser("application/slow", async ({ headers }: FastifyRequest, body: AsyncIterable<Buffer>) => {
    if (headers["content-length"] === String(unreadBytes)) await held;
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  });
  app.post("/slow", async ({ body }) => ({ bytes: body }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const open = (bytes: number) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/slow\r\ncontent-length: ${bytes}\r\n\r\n`,
    );
    return socket;
  };
  const whole = open(unreadBytes);
  const said = text(whole).catch(String);
  whole.write(Buffer.alloc(unreadBytes));
  const trickling = open(1e9);
  // The end is a FIN or, where a letter is still on its way, a reset.
  trickling.on("error", () => {});
  const closed = new Promise((resolve) => trickling.once("close", resolve));
  const trickle = setInterval(() => trickling.write("a"), 20);
  await closed;
  clearInterval(trickle);
  await wait(1_500); // in which 1.5 MB had to come, were this time counted
  release();
  expect(await said).toContain(`{"bytes":${unreadBytes}}`);
  await app.close();
});

test("a sender whose body lies unread because the process was busy is not cut off", async () => {
  const app = await bareApp({ minRate: { graceMs: 400, firstBytes: 5_000, bytesPerSecond: 1_000_000 } });
  app.addContentTypeParser("application/slow", async (_: FastifyRequest, body: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  });
  app.addHook("preParsing", async () => {
    for (const until = performance.now() + 1_500; performance.now() < until; );
  });
  app.post("/slow", async ({ body }) => ({ bytes: body }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const head = "POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/slow\r\nconnection: close\r\n";
  socket.write(`${head}content-length: 900000\r\n\r\n`);
  socket.write(Buffer.alloc(900_000));
  expect(await text(socket)).toContain('{"bytes":900000}');
  await app.close();
});

test("a process that was told to end answers what comes on its connections, and each answer is the last", async () => {
  let isStopping = false;
  const app = await bareApp({ isStopping: () => isStopping });
  app.get("/a", async () => ({ whole: true }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const socket = connect(port, "127.0.0.1");
  const ask = () => socket.write("GET /a HTTP/1.1\r\nhost: a\r\n\r\n");
  ask();
  await once(socket, "data");
  isStopping = true;
  const rest = text(socket);
  ask();
  expect(await rest).toMatch(/200 OK[\s\S]*connection: close[\s\S]*"whole":true/i);
  await app.close();
});
