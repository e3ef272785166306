import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { heldClock } from "../../testing/harness.ts";
import { type Outage, proxyTo } from "../../testing/outage.ts";
import { startRedis, type TestRedis } from "../../testing/redis.ts";
import { createLog } from "../log.ts";
import { connectRedis } from "../redis.ts";
import { createMemoryRateLimits } from "./memory.ts";
import type { RateLimits } from "./rate-limits.ts";
import { createRedisRateLimits } from "./redis.ts";

const log = createLog("silent");
const clock = heldClock();

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

/** As one process opens it. Except where Redis goes away, one that a busy machine lets wait counts as there. */
function openRedisLimits({
  url = server.url,
  timeoutMs = 10_000,
}: {
  url?: string;
  timeoutMs?: number;
} = {}): RateLimits {
  const redis = connectRedis({ url, log });
  const limits = createRedisRateLimits({ redis, alone: createMemoryRateLimits({ clock }), log, timeoutMs });
  return {
    ...limits,
    async close() {
      await limits.close();
      redis.close();
    },
  };
}

describe.each([
  { adapter: "memory", open: () => createMemoryRateLimits({ clock }) },
  { adapter: "redis", open: () => openRedisLimits() },
])("$adapter", ({ adapter, open }) => {
  let limits: RateLimits;
  /** Another process of the same service. */
  let other: RateLimits;
  beforeEach(async () => {
    if (adapter === "redis") await server.empty();
    limits = open();
    other = adapter === "redis" ? open() : limits;
  });
  afterEach(async () => {
    await limits.close();
    await other.close();
  });

  test("so many calls are allowed in a window, in all processes together, and then none", async () => {
    const rule = { limit: 3, windowMs: 60_000 };
    expect(await limits.take("a", rule)).toEqual({
      isAllowed: true,
      remaining: 2,
      retryAfterSeconds: 0,
      resetSeconds: 60,
    });
    expect(await other.take("a", rule)).toMatchObject({ isAllowed: true, remaining: 1 });
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true, remaining: 0, retryAfterSeconds: 0 });
    for (const one of [limits, other]) {
      const verdict = await one.take("a", rule);
      expect(verdict).toMatchObject({ isAllowed: false, remaining: 0 });
      expect(verdict.retryAfterSeconds).toBeGreaterThan(55);
      expect(verdict.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
  });

  test("several calls at once are counted all together or not at all", async () => {
    const rule = { limit: 5, windowMs: 60_000 };
    expect(await limits.take("a", { ...rule, calls: 3 })).toMatchObject({
      isAllowed: true,
      remaining: 2,
      resetSeconds: 60,
    });
    expect(await other.take("a", { ...rule, calls: 3 })).toMatchObject({ isAllowed: false, remaining: 2 });
    expect(await other.take("a", { ...rule, calls: 2 })).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await limits.take("b", { ...rule, calls: 6 })).toMatchObject({ isAllowed: false, remaining: 5 });
  });

  test("keys are counted apart", async () => {
    const rule = { limit: 1, windowMs: 60_000 };
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true });
    expect(await limits.take("b", rule)).toMatchObject({ isAllowed: true });
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: false });
  });

  test("of many calls at once exactly the limit is allowed", async () => {
    const rule = { limit: 10, windowMs: 60_000 };
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? limits : other).take("a", rule)),
    );
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
  });

  test("there is room again when the window has ended, and refused calls do not prolong it", async () => {
    // Long enough for three calls on a busy machine.
    const rule = { limit: 2, windowMs: 4_000 };
    const beganAt = performance.now();
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true, resetSeconds: 4 });
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true });
    const refused = await limits.take("a", rule);
    expect(refused).toMatchObject({ isAllowed: false });
    expect([1, 2, 3, 4]).toContain(refused.retryAfterSeconds);
    clock.advance(4_001);
    // Redis uses its own clock, so keep calling until there is room.
    await vi.waitFor(async () => expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true }), {
      timeout: 10_000,
      interval: 20,
    });
    if (adapter === "redis") expect(performance.now() - beganAt).toBeGreaterThan(3_990);
    expect(await limits.take("a", rule)).toMatchObject({ isAllowed: true, remaining: 0 });
  });
});

test("memory: a flood of keys does not fill it, and a window that counts is kept", async () => {
  const limits = createMemoryRateLimits({ clock });
  const rule = { limit: 1, windowMs: 60_000 };
  for (let index = 0; index < 150_000; index++) await limits.take(`flood ${index}`, rule);
  expect(await limits.take("flood 149999", rule)).toMatchObject({ isAllowed: false });
  expect(await limits.take("flood 0", rule)).toMatchObject({ isAllowed: true });
});

describe("redis", () => {
  let outage: Outage;
  let limits: RateLimits;
  beforeEach(async () => {
    await server.empty();
    outage = await proxyTo({ port: Number(new URL(server.url).port) });
    limits = openRedisLimits({ url: `redis://127.0.0.1:${outage.port}`, timeoutMs: 200 });
    await limits.take("warm", { limit: 1, windowMs: 60_000 });
  });
  afterEach(async () => {
    await limits.close();
    await outage.close();
  });

  test.each(["cut", "stall"] as const)(
    "while Redis is away (%s), each process counts alone and hardly waits",
    async (kind) => {
      const rule = { limit: 3, windowMs: 60_000 };
      outage[kind]();
      const beganAt = performance.now();
      const verdicts = [];
      for (let call = 0; call < 5; call++) verdicts.push((await limits.take("a", rule)).isAllowed);
      for (let call = 0; call < 25; call++) expect((await limits.take("a", rule)).isAllowed).toBe(false);
      expect(verdicts).toEqual([true, true, true, false, false]);
      // One call waits for the 200 ms timeout; the others skip Redis. If each waited, they would take 6 s.
      expect(performance.now() - beganAt).toBeLessThan(3_000);
    },
  );

  test("an answer that came while the process was busy with other work is taken", async () => {
    const rule = { limit: 2, windowMs: 60_000 };
    const other = openRedisLimits();
    await other.take("a", rule);
    const direct = openRedisLimits({ timeoutMs: 200 });
    await direct.take("warm too", rule);
    const taken = direct.take("a", rule);
    for (const end = performance.now() + 500; performance.now() < end; );
    expect(await taken).toMatchObject({ isAllowed: true, remaining: 0 });
    await direct.close();
    await other.close();
  });

  test("once Redis is back, processes count together again", async () => {
    const rule = { limit: 2, windowMs: 60_000 };
    outage.cut();
    await limits.take("a", rule);
    outage.mend();
    const other = openRedisLimits();
    await vi.waitFor(
      async () => {
        const key = `b ${Math.random()}`;
        await limits.take(key, rule);
        expect(await other.take(key, rule)).toMatchObject({ isAllowed: true, remaining: 0 });
      },
      { timeout: 10_000, interval: 100 },
    );
    await other.close();
  });
});
