import { DomainError } from "@tintype/contract";
import type { ModelsConfig } from "@tintype/imaging";
import type { Imaging } from "@tintype/imaging/engine";
import type { Engines, openEngines } from "../composition/engines.ts";
import type { EngineRun } from "../platform/engine.ts";
import type { WorkClass } from "../platform/work/work.ts";

export type TestEngines = {
  open: typeof openEngines;
  /**
   * Holds every file that an engine takes meanwhile, so that it stays in work, but for as many as the test lets through. In the end all go
   * on.
   */
  whileHeld<Result>(work: (letThrough: (files: number) => void) => Promise<Result>): Promise<Result>;
};

/**
 * The engine in the test's own process: nothing has to start, and a test decides when a file goes on. Processes, their limits and their
 * sandbox have tests of their own.
 */
export function createTestEngines(): TestEngines {
  /** Files at the gate, in their order. */
  const held: (() => void)[] = [];
  let isHolding = false;
  /** Files that the test lets through while others are held. */
  let allowed = 0;
  let working = 0;
  const enter = (signal: AbortSignal) =>
    new Promise<void>((enter, reject) => {
      if (!isHolding) return enter();
      if (allowed > 0) {
        allowed--;
        return enter();
      }
      const onAbort = () => {
        held.splice(held.indexOf(go), 1);
        reject(new DomainError("cancelled"));
      };
      const go = () => {
        signal.removeEventListener("abort", onAbort);
        enter();
      };
      held.push(go);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  const letThrough = (files: number) => {
    allowed += files;
    for (; allowed > 0 && held.length > 0; allowed--) held.shift()?.();
  };
  return {
    open: async (config, { classes, models, log }) => {
      const imaging = createLazyImaging({ models, log: (line) => log.warn(line) });
      const pools: Engines["pools"] = {};
      const isServed = (workClass: WorkClass) => classes.includes(workClass);
      const open = (size: number) => {
        const closing = new AbortController();
        return {
          size,
          async run({ task, signal, progress }: EngineRun) {
            if (closing.signal.aborted) throw new DomainError("interrupted");
            const ends = AbortSignal.any([signal, closing.signal]);
            ends.throwIfAborted();
            working++;
            try {
              await enter(ends);
              return await orAbort(ends, (await imaging()).run(task, { signal: ends, progress }));
            } catch (problem) {
              if (closing.signal.aborted) throw new DomainError("interrupted", { cause: problem });
              if (signal.aborted && !(problem instanceof DomainError)) throw new DomainError("cancelled");
              throw problem;
            } finally {
              working--;
            }
          },
          close: async () => closing.abort(),
        };
      };
      if (isServed("picture")) pools.picture = open(config.TINTYPE_ENGINES + config.TINTYPE_SPARE_ENGINES);
      if (isServed("model")) pools.model = open(config.TINTYPE_MODEL_ENGINES);
      return { pools, gauges: { engineProcesses: () => 0, enginesBusy: () => working } };
    },
    async whileHeld(work) {
      isHolding = true;
      try {
        return await work(letThrough);
      } finally {
        isHolding = false;
        letThrough(held.length);
        allowed = 0;
      }
    },
  };
}

/** A process can be killed in the middle of a picture. Here nobody waits for its end. */
function orAbort<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  work.catch(() => {});
  return Promise.race([work, aborted]);
}

/** Loads the engine with the first picture: most tests have none. */
function createLazyImaging(options: { models: ModelsConfig; log(line: string): void }): () => Promise<Imaging> {
  let loaded: Promise<Imaging> | undefined;
  return () => {
    loaded ??= import("@tintype/imaging/engine").then(({ createImaging }) => createImaging(options));
    return loaded;
  };
}
