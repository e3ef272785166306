import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { networkKey } from "../platform/network.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { countWiderNetworks } from "../platform/rate-limits/rate-limits.ts";
import { createRedisRateLimits } from "../platform/rate-limits/redis.ts";
import { connectRedis } from "../platform/redis.ts";
import { startRedis, type TestRedis } from "../testing/redis.ts";
import { createApp } from "./app.ts";

const secret = "a secret of thirty-two letters or more";
const log = pino({ level: "silent" });

let server: TestRedis;
const processes: { app: FastifyInstance; close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await startRedis();
  for (let count = 0; count < 2; count++) processes.push(await startProcess());
});
afterAll(async () => {
  for (const one of processes) await one.close();
  await server.close();
});

async function startProcess() {
  const redis = connectRedis({ url: server.url, log });
  const alone = createMemoryRateLimits({ clock: systemClock });
  const app = await createApp({
    logger: log,
    cookieKeys: [secret],
    trustedProxies: ["127.0.0.1"],
    origin: "http://localhost",
    requestsPerMinute: 10,
    // A Redis that a busy machine lets wait is not away.
    rateLimits: countWiderNetworks(createRedisRateLimits({ redis, alone, log, timeoutMs: 10_000 })),
    networkOf: (address) => networkKey(address, secret),
  });
  app.get("/here", async () => "here");
  return {
    app,
    async close() {
      await app.close();
      redis.close();
    },
  };
}

/** A request through one of the two processes. */
const ask = (process: number, address: string) =>
  processes[process]?.app.inject({ url: "/here", headers: { "x-forwarded-for": address } });

test("requests of one network are counted over all processes, and the headers tell what is left", async () => {
  const answers = [];
  for (let count = 0; count < 12; count++) answers.push(await ask(count % 2, "2001:db8::1"));
  expect(answers.map((answer) => answer?.statusCode)).toEqual([...Array(10).fill(200), 429, 429]);
  expect(answers[3]?.headers).toMatchObject({ "x-ratelimit-limit": "10", "x-ratelimit-remaining": "6" });
  expect(Number(answers[3]?.headers["x-ratelimit-reset"])).toBeGreaterThan(50);
  expect(answers[3]?.headers["ratelimit-policy"]).toBe('"network";q=10;w=60');
  expect(answers[3]?.headers["ratelimit"]).toMatch(/^"network";r=6;t=(60|5\d)$/);
  expect(answers[11]?.headers["ratelimit"]).toMatch(/^"network";r=0;t=(60|5\d)$/);
  expect(answers[11]?.json()).toMatchObject({ type: "/api/docs#error-too-many-requests" });
  expect(Number(answers[11]?.headers["retry-after"])).toBeGreaterThan(50);
  expect((await ask(0, "2001:db8::2"))?.statusCode).toBe(429);
  expect((await ask(0, "2001:db8:1::1"))?.statusCode).toBe(200);
});

test("requests of networks of IPv6 are counted for the /56 and the /48 around them too", async () => {
  let passed = 0;
  // Five networks in each of five /56 prefixes of one /48.
  for (const block of [0, 1, 2, 3, 4])
    for (let house = 0; house < 5; house++)
      for (let count = 0; count < 10; count++) {
        const answer = await ask(count % 2, `2001:db8:99:${block.toString(16)}0${house}::1`);
        if (answer?.statusCode === 200) passed++;
      }
  expect(passed).toBe(4 * 4 * 10);
  expect((await ask(0, "2001:db8:98::1"))?.statusCode).toBe(200);
});

test("Redis holds no address", async () => {
  await ask(0, "203.0.113.77");
  const redis = connectRedis({ url: server.url, log });
  const keys = await redis.shared.keys("*");
  redis.close();
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.join(" ")).not.toMatch(/203|2001|db8/);
});

test("with Redis away the server answers, and each process counts alone", async () => {
  await server.stop();
  const statuses = [];
  for (let count = 0; count < 12; count++) statuses.push((await ask(0, "203.0.113.1"))?.statusCode);
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  expect((await ask(1, "203.0.113.1"))?.statusCode).toBe(200);
  await server.start();
});
