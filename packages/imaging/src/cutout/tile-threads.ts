import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TileRow } from "./cut-tile.ts";

/** A pool of threads that cut tiles in parallel with the calling one. One picture at a time. */
export type TileThreads = {
  /**
   * Starts up to `helpers` threads on a row of tiles, and waits until no tile is left.
   * @throws the error of a thread, or an Error if it exited; the others have stopped by then
   */
  help(tileRow: TileRow, helpers: number): Promise<void>;
  running(): number;
  /** Terminates the threads. */
  close(): Promise<void>;
};

type Options = {
  /** The most threads to start besides the calling one. */
  count: number;
  /** A thread idle for this long is terminated, ms. */
  idleMs?: number;
  workerFile?: URL;
};

/**
 * Threads start on first use and are kept for the next picture: V8 compiles the hot code only during their first tiles.
 * Idle threads do not keep the process alive.
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
    worker.on("error", () => workers.delete(worker)); // `work` reports it to its caller
    worker.once("exit", () => workers.delete(worker));
    return worker;
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ending = [...workers];
    workers.clear(); // a concurrent `help` starts new ones
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
