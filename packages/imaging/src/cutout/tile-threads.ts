import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TileRow } from "./tile-row.ts";

/** Threads that cut tiles beside the one that asks. One picture at a time. */
export type TileThreads = {
  /**
   * So many of them, or all where there are fewer, take tiles of a tile row until none is left.
   * @throws what a thread threw, or an Error where it ended; the others have stopped by then
   */
  help(tileRow: TileRow, helpers: number): Promise<void>;
  /** How many are started. */
  running(): number;
  /** Ends them. */
  close(): Promise<void>;
};

type Options = {
  /** How many there are at most, the asking one not among them. */
  count: number;
  /** A thread without work for so long is ended, ms. */
  idleMs?: number;
  workerFile?: URL;
};

/**
 * Threads are started when they are first asked for and stay for the next picture: V8 makes them quick only with their
 * first tiles. While idle they do not keep the process from ending.
 */
export function createTileThreads({
  count,
  idleMs = 30_000,
  workerFile = new URL("./tile-worker.ts", import.meta.url),
}: Options): TileThreads {
  const workers = new Set<Worker>();
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(workerFile);
    workers.add(worker);
    worker.on("error", () => workers.delete(worker)); // told to who waits for it
    worker.once("exit", () => workers.delete(worker));
    return worker;
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ending = [...workers];
    workers.clear(); // who asks meanwhile gets new ones
    await Promise.all(ending.map((worker) => worker.terminate()));
  }

  return {
    running: () => workers.size,
    close,
    async help(tileRow, helpers) {
      clearTimeout(idle);
      while (workers.size < Math.min(count, helpers)) start();
      const working = [...workers].slice(0, helpers).map((worker) => work(worker, tileRow));
      const ended = await Promise.allSettled(working);
      idle = setTimeout(close, idleMs).unref();
      for (const result of ended) if (result.status === "rejected") throw result.reason;
    },
  };
}

async function work(worker: Worker, tileRow: TileRow): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  worker.ref();
  worker.postMessage(tileRow);
  try {
    await Promise.race([
      once(worker, "message", { signal }),
      once(worker, "exit", { signal }).then(([code]) => {
        throw new Error(`a thread that cut tiles ended (${code})`);
      }),
    ]);
  } finally {
    over.abort();
    worker.unref();
  }
}
