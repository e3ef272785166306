import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startRedis, type TestRedis } from "../../testing/redis.ts";
import { createLog } from "../log.ts";
import { connectRedis } from "../redis.ts";
import { createBullmqWork } from "./bullmq.ts";
import { createLocalWork } from "./local.ts";
import type { Lane, Offer, Work } from "./work.ts";

const log = createLog("silent");
const picture = (fileId: string, offer: Partial<Offer> = {}): Offer => ({
  fileId,
  workClass: "picture",
  lane: "normal",
  priority: 1,
  ...offer,
});
const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 5 });

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

/** As one process opens it. */
function openBullmq(): Work {
  const redis = connectRedis({ url: server.url, log });
  const work = createBullmqWork({ redis, log });
  return {
    ...work,
    async close() {
      await work.close();
      redis.close();
    },
  };
}

describe.each([
  { adapter: "local", open: () => createLocalWork({ log }) },
  { adapter: "bullmq", open: openBullmq },
])("$adapter", ({ adapter, open }) => {
  let work: Work;
  /** Another process of the same service. */
  let other: Work;
  beforeEach(async () => {
    if (adapter === "bullmq") await server.empty();
    work = open();
    other = adapter === "bullmq" ? open() : work;
  });
  afterEach(async () => {
    await work.close();
    await other.close();
  });

  /** The order in which a single consumer gets the files. */
  async function takenInOrder(count: number): Promise<string[]> {
    const taken: string[] = [];
    const consumer = other.consume("picture", { concurrency: 1, handle: async (fileId) => void taken.push(fileId) });
    await until(() => expect(taken.length).toBeGreaterThanOrEqual(count));
    await consumer.close();
    return taken;
  }

  test("the smallest priority goes first, and equal priorities go in the order they were offered", async () => {
    await work.offer([picture("job_a-0", { priority: 7 }), picture("job_a-1", { priority: 2_000_000 })]);
    await work.offer([
      picture("job_b-0", { priority: 3 }),
      picture("job_c-0", { priority: 7 }),
      picture("job_d-0", { priority: 1 }),
    ]);
    await work.offer([picture("job_e-0", { priority: 3 })]);
    expect(await takenInOrder(6)).toEqual(["job_d-0", "job_b-0", "job_e-0", "job_a-0", "job_c-0", "job_a-1"]);
  });

  test("turns that end at once leave the event loop to everything else", async () => {
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds++;
      if (!isOver) setImmediate(count);
    };
    await work.offer(Array.from({ length: 500 }, (_, index) => picture(`job_${index}`)));
    const roundsAtTurns: number[] = [];
    setImmediate(count);
    const consumer = work.consume("picture", {
      concurrency: 2,
      handle: async () => void roundsAtTurns.push(rounds),
    });
    await until(() => expect(roundsAtTurns.length).toBeGreaterThanOrEqual(500));
    isOver = true;
    await consumer.close();
    // A round of the event loop lies between the turns of one slot.
    const most = Math.max(...roundsAtTurns.map((round) => roundsAtTurns.filter((other) => other === round).length));
    expect(most).toBeLessThanOrEqual(4);
  });

  // product: fast-lane-first
  test("the fast lane goes first, and the normal lane has one turn in five while both wait", async () => {
    const lane = (name: "fast" | "normal", count: number) =>
      Array.from({ length: count }, (_, index) => picture(`${name}.${index}`, { lane: name, priority: 1 + index }));
    await work.offer([...lane("normal", 6), ...lane("fast", 12)]);
    const lanes = (await takenInOrder(18)).map((fileId) => fileId.split(".")[0]);
    expect(lanes.slice(0, 4)).toEqual(["fast", "fast", "fast", "fast"]);
    expect(lanes.slice(0, 15).filter((one) => one === "normal")).toHaveLength(3);
    for (let turn = 0; turn + 5 <= 15; turn++) expect(lanes.slice(turn, turn + 5)).toContain("normal");
    expect(lanes.slice(15)).toEqual(["normal", "normal", "normal"]);
  });

  test("a file that waits keeps its one place when it is offered again", async () => {
    await work.offer([picture("job_a-0", { priority: 1 }), picture("job_b-0", { priority: 2 })]);
    await other.offer([picture("job_a-0", { priority: 9 })]);
    await work.offer([picture("job_c-0", { priority: 3 })]);
    expect(await takenInOrder(3)).toEqual(["job_a-0", "job_b-0", "job_c-0"]);
  });

  test("a file that had its turn has another one when it is offered again", async () => {
    await work.offer([picture("job_a-0")]);
    expect(await takenInOrder(1)).toEqual(["job_a-0"]);
    await work.offer([picture("job_a-0")]);
    expect(await takenInOrder(1)).toEqual(["job_a-0"]);
  });

  test("a file that was withdrawn has no turn, and withdrawing one that does not wait is no error", async () => {
    await work.offer([picture("job_a-0"), picture("job_b-0"), picture("job_c-0", { lane: "fast" })]);
    await other.withdraw([picture("job_a-0"), picture("job_c-0", { lane: "fast" }), picture("never.offered")]);
    expect(await takenInOrder(1)).toEqual(["job_b-0"]);
    await work.offer([picture("job_a-0")]);
    expect(await takenInOrder(1)).toEqual(["job_a-0"]);
  });

  test("withdrawing a file that is in hand leaves its turn alone", async () => {
    const events: string[] = [];
    let end = () => {};
    other.consume("picture", {
      concurrency: 1,
      async handle(fileId) {
        events.push(`${fileId} begins`);
        if (fileId === "job_a-0")
          await new Promise<void>((done) => {
            end = done;
          });
        events.push(`${fileId} ends`);
      },
    });
    await work.offer([picture("job_a-0")]);
    await until(() => expect(events).toHaveLength(1));
    await work.withdraw([picture("job_a-0")]);
    end();
    await work.offer([picture("job_b-0")]);
    await until(() => expect(events.slice(1)).toEqual(["job_a-0 ends", "job_b-0 begins", "job_b-0 ends"]));
  });

  test("each class has its own line", async () => {
    const taken: string[] = [];
    const consumer = other.consume("model", { concurrency: 1, handle: async (fileId) => void taken.push(fileId) });
    await work.offer([picture("job_a-0", { lane: "fast" }), picture("job_b-0", { workClass: "model", priority: 5 })]);
    await until(() => expect(taken).toEqual(["job_b-0"]));
    await consumer.close();
    expect(await takenInOrder(1)).toEqual(["job_a-0"]);
    expect(taken).toEqual(["job_b-0"]);
  });

  test("no more turns run at a time than the concurrency", async () => {
    const ends: (() => void)[] = [];
    let most = 0;
    let running = 0;
    other.consume("picture", {
      concurrency: 3,
      async handle() {
        most = Math.max(most, ++running);
        await new Promise<void>((done) => ends.push(done));
        running--;
      },
    });
    await work.offer(Array.from({ length: 9 }, (_, index) => picture(`job_a-${index}`)));
    for (let ended = 0; ended < 9; ended++) {
      await until(() => expect(ends.length).toBe(Math.min(9, ended + 3)));
      ends[ended]?.();
    }
    await until(() => expect(running).toBe(0));
    expect(most).toBe(3);
  });

  test("a waiting consumer gets what is offered at once", async () => {
    const taken: string[] = [];
    other.consume("picture", { concurrency: 2, handle: async (fileId) => void taken.push(fileId) });
    await work.offer([picture("job_a-0")]);
    await until(() => expect(taken).toHaveLength(1));
    const offeredAt = performance.now();
    const turns = Array.from({ length: 8 }, (_, index): Lane => (index % 2 === 0 ? "normal" : "fast"));
    for (const [index, lane] of turns.entries()) {
      await work.offer([picture(`job_b-${index}`, { lane })]);
      await until(() => expect(taken).toHaveLength(index + 2));
    }
    // Half of the time that these turns take if a consumer is not woken, and polls every 2 s.
    expect(performance.now() - offeredAt).toBeLessThan(8_000);
  });

  test("a turn that throws ends, and the next file has its turn", async () => {
    const taken: string[] = [];
    other.consume("picture", {
      concurrency: 1,
      async handle(fileId) {
        taken.push(fileId);
        if (fileId === "job_a-0") throw new Error("on purpose");
      },
    });
    await work.offer([picture("job_a-0"), picture("job_b-0")]);
    await until(() => expect(taken).toEqual(["job_a-0", "job_b-0"]));
    await work.offer([picture("job_a-0")]);
    await until(() => expect(taken).toEqual(["job_a-0", "job_b-0", "job_a-0"]));
  });

  test("closing waits for the turn in hand, begins no other, and leaves the rest to another consumer", async () => {
    const begun: string[] = [];
    let end = () => {};
    const consumer = other.consume("picture", {
      concurrency: 1,
      handle(fileId) {
        begun.push(fileId);
        return new Promise((done) => {
          end = done;
        });
      },
    });
    await work.offer([picture("job_a-0", { priority: 1 }), picture("job_a-1", { priority: 2 })]);
    await until(() => expect(begun).toEqual(["job_a-0"]));
    let isClosed = false;
    const closing = consumer.close().then(() => {
      isClosed = true;
    });
    await work.offer([picture("job_a-2", { priority: 3 })]);
    expect(isClosed).toBe(false);
    end();
    await closing;
    expect(begun).toEqual(["job_a-0"]);
    expect(await takenInOrder(2)).toEqual(["job_a-1", "job_a-2"]);
  });
});

describe("bullmq", () => {
  let work: Work;
  beforeEach(async () => {
    await server.empty();
    work = openBullmq();
  });
  afterEach(() => work.close());

  test("the file of a killed process goes to another one within seconds", async () => {
    const script = fileURLToPath(new URL("../../testing/mortal-consumer.ts", import.meta.url));
    const killable = spawn(process.execPath, [script, server.url], { stdio: ["ignore", "pipe", "inherit"] });
    await work.offer([picture("job_a-0")]);
    const [line] = (await once(killable.stdout, "data")) as [Buffer];
    expect(String(line)).toBe("job_a-0\n");
    const taken: string[] = [];
    work.consume("picture", { concurrency: 1, handle: async (fileId) => void taken.push(fileId) });
    killable.kill("SIGKILL");
    // Its lock expires after 3 s; a busy machine needs longer.
    await vi.waitFor(() => expect(taken).toEqual(["job_a-0"]), 30_000);
  });

  test("a turn longer than a lock is handed out once", async () => {
    const taken: string[] = [];
    const second = openBullmq();
    for (const one of [work, second])
      one.consume("picture", {
        concurrency: 1,
        async handle(fileId) {
          taken.push(fileId);
          if (fileId === "long") await new Promise((done) => setTimeout(done, 5_000));
        },
      });
    await work.offer([picture("long")]);
    await until(() => expect(taken).toEqual(["long"]));
    await Promise.all([work.close(), second.close()]);
    expect(taken).toEqual(["long"]);
  });

  test("work that Redis has lost is handed out when it is offered again", async () => {
    const files = Array.from({ length: 200 }, (_, index) => picture(`job_a-${index}`, { priority: 1 + index }));
    await work.offer(files);
    await server.empty();
    const taken = new Set<string>();
    work.consume("picture", { concurrency: 4, handle: async (fileId) => void taken.add(fileId) });
    await work.offer(files.slice(0, 100));
    await until(() => expect(taken.size).toBe(100));
    await server.empty();
    await work.offer(files.slice(100));
    await until(() => expect(taken.size).toBe(200));
  });

  test("while Redis is away an offer fails at once; consumers come back by themselves", async () => {
    const taken: string[] = [];
    work.consume("picture", { concurrency: 1, handle: async (fileId) => void taken.push(fileId) });
    await work.offer([picture("before")]);
    await until(() => expect(taken).toEqual(["before"]));
    await server.stop();
    const stoppedAt = performance.now();
    for (let call = 0; call < 5; call++) {
      await expect(work.offer([picture("during")])).rejects.toMatchObject({
        code: "unavailable",
        retryAfterSeconds: 2,
      });
    }
    // Half of what the calls take if each waits for its 2 s timeout.
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    await work.withdraw([picture("during")]);
    await new Promise((done) => setTimeout(done, 5_000 - (performance.now() - stoppedAt)));
    await server.start();
    await vi.waitFor(() => work.offer([picture("after")]), { timeout: 30_000, interval: 50 });
    await until(() => expect(taken).toContain("after"));
  });

  test("closing ends while Redis is away", async () => {
    const away = openBullmq();
    const taken: string[] = [];
    away.consume("picture", { concurrency: 1, handle: async (fileId) => void taken.push(fileId) });
    await away.offer([picture("before")]);
    await until(() => expect(taken).toEqual(["before"]));
    await server.stop();
    const closedAt = performance.now();
    await away.close();
    // It must not wait for Redis, which stays down.
    expect(performance.now() - closedAt).toBeLessThan(20_000);
    await server.start();
  });
});
