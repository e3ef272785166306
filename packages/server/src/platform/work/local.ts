import type { FastifyBaseLogger } from "fastify";
import { createLaneChoice } from "./lane-choice.ts";
import { type Lane, type Offer, type TakeOptions, type Taker, type Work, type WorkClass, workClasses } from "./work.ts";

/** Hands out turns inside one process. It holds no timer, and an idle one costs nothing. */
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
    take: (workClass, options) => queueOf(workClass).take(options),
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

type Queue = ReturnType<typeof createQueue>;

/** The two lanes of one class, and the takers that serve them. */
function createQueue(log: Pick<FastifyBaseLogger, "error">) {
  const lines: Record<Lane, Line> = { fast: new Line(), normal: new Line() };
  const choice = createLaneChoice();
  const takers: { options: TakeOptions; turns: Set<Promise<void>> }[] = [];

  const next = () => {
    const lane = choice.order().find((one) => lines[one].size > 0);
    if (!lane) return undefined;
    choice.took(lane);
    return lines[lane].shift();
  };
  /** Gives turns for as long as a hand is free and a file waits. */
  const serve = () => {
    for (;;) {
      const taker = takers.find(({ options, turns }) => turns.size < options.hands);
      const fileId = taker && next();
      if (!taker || fileId === undefined) return;
      const turn = taker.options
        .handle(fileId)
        .catch((problem: unknown) => log.error({ err: problem, fileId }, "a turn failed"))
        .finally(() => {
          taker.turns.delete(turn);
          serve();
        });
      taker.turns.add(turn);
    }
  };
  const take = (options: TakeOptions): Taker => {
    const taker = { options, turns: new Set<Promise<void>>() };
    takers.push(taker);
    serve();
    return {
      async close() {
        const at = takers.indexOf(taker);
        if (at >= 0) takers.splice(at, 1);
        await Promise.all(taker.turns);
      },
    };
  };
  return {
    add: ({ fileId, lane, tag }: Offer) => lines[lane].add(fileId, tag),
    remove(files: readonly Pick<Offer, "fileId" | "lane">[]) {
      for (const lane of ["fast", "normal"] as const)
        lines[lane].remove(new Set(files.filter((file) => file.lane === lane).map(({ fileId }) => fileId)));
    },
    serve,
    take,
    async close() {
      await Promise.all(takers.splice(0).map(({ turns }) => Promise.all(turns)));
    },
  };
}

/**
 * Files by tag; equal tags in the order they came. A sorted array: it holds some thousands of entries at most, where
 * moving them costs less than the calls of a heap.
 */
class Line {
  /** The largest tag first: the next file is the last entry, which costs nothing to take. */
  readonly #waiting: { fileId: string; tag: number }[] = [];
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  add(fileId: string, tag: number): void {
    if (this.#ids.has(fileId)) return;
    this.#ids.add(fileId);
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle]?.tag ?? 0) > tag) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, { fileId, tag });
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
