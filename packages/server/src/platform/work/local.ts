import type { FastifyBaseLogger } from "fastify";
import { createLaneChoice } from "./lane-choice.ts";
import {
  type ConsumeOptions,
  type Consumer,
  type Lane,
  type Offer,
  type Work,
  type WorkClass,
  workClasses,
} from "./work.ts";

/** The work queue of a single process. It has no timer: idle, it costs nothing. */
export function createLocalWork({ log }: { log: Pick<FastifyBaseLogger, "error"> }): Work {
  const queues = new Map<WorkClass, Queue>(workClasses.map((workClass) => [workClass, createQueue(log)]));
  const queueOf = (workClass: WorkClass) => queues.get(workClass) as Queue; // one is made for every class above
  return {
    async offer(offers) {
      for (const offer of offers) queueOf(offer.workClass).add(offer);
      for (const queue of queues.values()) queue.serve();
    },
    async withdraw(files) {
      for (const workClass of workClasses)
        queueOf(workClass).remove(files.filter((file) => file.workClass === workClass));
    },
    consume: (workClass, options) => queueOf(workClass).consume(options),
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

type Queue = ReturnType<typeof createQueue>;

/** The two lanes of one class, and the consumers that serve them. */
function createQueue(log: Pick<FastifyBaseLogger, "error">) {
  const lines: Record<Lane, Line> = { fast: new Line(), normal: new Line() };
  const choice = createLaneChoice();
  const consumers: { options: ConsumeOptions; turns: Set<Promise<void>> }[] = [];

  const next = () => {
    const lane = choice.order().find((one) => lines[one].size > 0);
    if (!lane) return undefined;
    choice.took(lane);
    return lines[lane].shift();
  };
  let isDue = false;
  /** In the event loop's next round: turns that end without work would keep it from everything else. */
  const serveSoon = () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      serve();
    });
  };
  /** Starts turns while a consumer has a free slot and a file waits. */
  const serve = () => {
    for (;;) {
      const consumer = consumers.find(({ options, turns }) => turns.size < options.concurrency);
      const fileId = consumer && next();
      if (!consumer || fileId === undefined) return;
      const turn = consumer.options
        .handle(fileId)
        .catch((problem: unknown) => log.error({ err: problem, fileId }, "a turn failed"))
        .finally(() => {
          consumer.turns.delete(turn);
          serveSoon();
        });
      consumer.turns.add(turn);
    }
  };
  const consume = (options: ConsumeOptions): Consumer => {
    const consumer = { options, turns: new Set<Promise<void>>() };
    consumers.push(consumer);
    serve();
    return {
      async close() {
        const at = consumers.indexOf(consumer);
        if (at >= 0) consumers.splice(at, 1);
        await Promise.all(consumer.turns);
      },
    };
  };
  return {
    add: ({ fileId, lane, priority }: Offer) => lines[lane].add(fileId, priority),
    remove(files: readonly Pick<Offer, "fileId" | "lane">[]) {
      for (const lane of ["fast", "normal"] as const)
        lines[lane].remove(new Set(files.filter((file) => file.lane === lane).map(({ fileId }) => fileId)));
    },
    serve,
    consume,
    async close() {
      await Promise.all(consumers.splice(0).map(({ turns }) => Promise.all(turns)));
    },
  };
}

/**
 * Files by priority, then by arrival. A sorted array: with at most a few thousand entries, moving them costs less than a heap's calls.
 */
class Line {
  /** Largest priority number first: the next file is the last entry, which is cheap to remove. */
  readonly #waiting: { fileId: string; priority: number }[] = [];
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  add(fileId: string, priority: number): void {
    if (this.#ids.has(fileId)) return;
    this.#ids.add(fileId);
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle]?.priority ?? 0) > priority) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, { fileId, priority });
  }

  shift(): string | undefined {
    const next = this.#waiting.pop();
    if (next) this.#ids.delete(next.fileId);
    return next?.fileId;
  }

  remove(fileIds: ReadonlySet<string>): void {
    const before = this.#ids.size;
    for (const fileId of fileIds) this.#ids.delete(fileId);
    if (this.#ids.size === before) return;
    const kept = this.#waiting.filter(({ fileId }) => !fileIds.has(fileId));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
  }
}
