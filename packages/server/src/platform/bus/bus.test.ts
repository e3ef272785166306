import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startRedis, type TestRedis } from "../../testing/redis.ts";
import { createLog } from "../log.ts";
import { connectRedis } from "../redis.ts";
import type { Bus } from "./bus.ts";
import { createLocalBus } from "./local.ts";
import { createRedisBus } from "./redis.ts";

const log = createLog("silent");
const until = (assertion: () => void | Promise<void>) => vi.waitFor(assertion, { timeout: 30_000, interval: 5 });

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

/** As one process opens it. */
function openRedisBus(): Bus {
  const redis = connectRedis({ url: server.url, log });
  const bus = createRedisBus({ redis });
  return {
    ...bus,
    async close() {
      await bus.close();
      redis.close();
    },
  };
}

describe.each([
  { adapter: "local", open: createLocalBus },
  { adapter: "redis", open: openRedisBus },
])("$adapter", ({ adapter, open }) => {
  let bus: Bus;
  /** Another process of the same service. */
  let other: Bus;
  beforeEach(() => {
    bus = open();
    other = adapter === "redis" ? open() : bus;
  });
  afterEach(async () => {
    await bus.close();
    await other.close();
  });

  /** Waits for a message that was sent after all others, which therefore have arrived. */
  async function receivedAll(channel: string, received: string[]) {
    bus.publish(channel, "last");
    await until(() => expect(received.at(-1)).toBe("last"));
  }

  test("a message reaches everybody who listens to its channel, and no one else", async () => {
    const received: Record<string, string[]> = { here: [], there: [], elsewhere: [] };
    await bus.subscribe("job_a", (message) => received["here"]?.push(message));
    await other.subscribe("job_a", (message) => received["there"]?.push(message));
    await other.subscribe("job_b", (message) => received["elsewhere"]?.push(message));
    bus.publish("job_a", "hello");
    await receivedAll("job_b", received["elsewhere"] ?? []);
    await until(() => expect(received).toEqual({ here: ["hello"], there: ["hello"], elsewhere: ["last"] }));
  });

  test("messages of one sender keep their order", async () => {
    const received: string[] = [];
    await other.subscribe("job_a", (message) => received.push(message));
    const sent = Array.from({ length: 500 }, (_, index) => `${index}`);
    for (const message of sent) bus.publish("job_a", message);
    await receivedAll("job_a", received);
    expect(received).toEqual([...sent, "last"]);
  });

  test("a listener that stops hears nothing more; others of the channel do", async () => {
    const [stopped, stays]: [string[], string[]] = [[], []];
    const receive = (message: string) => stopped.push(message);
    const stopFirst = await other.subscribe("job_a", receive);
    const stopSecond = await other.subscribe("job_a", receive);
    await other.subscribe("job_a", (message) => stays.push(message));
    bus.publish("job_a", "1");
    await until(() => expect(stays).toEqual(["1"]));
    stopFirst();
    bus.publish("job_a", "2");
    await until(() => expect(stays).toEqual(["1", "2"]));
    stopSecond();
    await receivedAll("job_a", stays);
    expect(stopped).toEqual(["1", "1", "2"]);
  });

  test("a channel that was left can be listened to again", async () => {
    const received: string[] = [];
    for (let round = 0; round < 20; round++) {
      const stop = await other.subscribe("job_a", (message) => received.push(message));
      stop();
    }
    await other.subscribe("job_a", (message) => received.push(message));
    await receivedAll("job_a", received);
    expect(received).toEqual(["last"]);
  });

  test("publishing runs no receiver within the call", async () => {
    let isPublishing = true;
    const received: boolean[] = [];
    await bus.subscribe("job_a", () => received.push(isPublishing));
    bus.publish("job_a", "hello");
    isPublishing = false;
    await until(() => expect(received).toEqual([false]));
  });
});

test("redis: listeners are back after an outage, and nothing throws or hangs meanwhile", async () => {
  const bus = openRedisBus();
  const other = openRedisBus();
  const [before, during]: [string[], string[]] = [[], []];
  await bus.subscribe("job_a", (message) => before.push(message));
  await server.stop();
  other.publish("job_a", "may be lost");
  // It must not wait for the server, which is down until this has returned.
  await bus.subscribe("job_b", (message) => during.push(message));
  await server.start();
  await until(() => {
    other.publish("job_a", "found");
    other.publish("job_b", "found");
    expect([before.includes("found"), during.includes("found")]).toEqual([true, true]);
  });
  await bus.close();
  await other.close();
});
