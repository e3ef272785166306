import type { InputFormat, OperationName } from "@tintype/contract";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Sides } from "../../state/frame.ts";
import type { Order } from "../../state/order.ts";
import type { Remarks } from "../../state/picture.ts";
import { keptKey } from "../earlier-visit.ts";
import { entriesToForget, keptLimitBytes } from "./kept-limits.ts";

/** A result as it is kept; its bytes lie apart, to be read one at a time. */
export type KeptResult = Remarks & {
  key: string;
  /** The owner: a person's results are not shown to the next person at this browser. */
  owner: string;
  tool: OperationName;
  name: string;
  format: InputFormat;
  sides: Sides;
  sizeBytes: number;
  sourceName: string;
  sourceBytes: number;
  keptAtMs: number;
  isSaved: boolean;
};

/** A batch under way: with its settings and originals a reload shows it as it was. */
export type KeptBatch = Order & { sources: ReadonlyArray<File | undefined> };
type BatchRow = KeptBatch & { jobId: string; sizeBytes: number; keptAtMs: number };
type Bytes = { blob: Blob; thumb: Blob | undefined };

interface Tables extends DBSchema {
  results: { key: string; value: KeptResult };
  bytes: { key: string; value: Bytes };
  batches: { key: string; value: BatchRow };
}

/**
 * Results and originals between visits, in this browser's IndexedDB. If that is denied or full nothing is kept, and
 * every method says so by its answer.
 */
export type KeptStore = {
  /** Newest first. */
  list(): Promise<readonly KeptResult[]>;
  read(key: string): Promise<Bytes | undefined>;
  /** Whether it is kept now. */
  keep(result: KeptResult, blob: Blob): Promise<boolean>;
  addThumb(key: string, thumb: Blob): Promise<void>;
  markSaved(keys: readonly string[]): Promise<void>;
  /** All of it. */
  forget(): Promise<void>;
  keepBatch(jobId: string, batch: KeptBatch): Promise<void>;
  findBatch(jobId: string): Promise<KeptBatch | undefined>;
  forgetBatch(jobId: string): Promise<void>;
  /** Calls back when another tab has changed something. */
  onChange(listener: () => void): void;
};

/** Originals of one batch that are kept, at most; those beyond it have no preview after a reload. */
const maxSourceBytes = 100e6;

export function createKeptStore(): KeptStore {
  let opening: Promise<IDBPDatabase<Tables>> | undefined;
  const channel = new BroadcastChannel("tintype.kept");

  const open = () => {
    opening ??= openDB<Tables>("tintype", 1, {
      upgrade(database) {
        database.createObjectStore("results", { keyPath: "key" });
        database.createObjectStore("bytes");
        database.createObjectStore("batches", { keyPath: "jobId" });
      },
    });
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  /** Storage is a courtesy: what it refuses is answered with `otherwise`. */
  const quietly = async <Value>(otherwise: Value, use: (database: IDBPDatabase<Tables>) => Promise<Value>) => {
    try {
      return await use(await open());
    } catch {
      return otherwise;
    }
  };

  let writing: Promise<unknown> = Promise.resolve();
  /** One write after the other: each one makes room for itself. */
  const inTurn = <Value>(write: () => Promise<Value>): Promise<Value> => {
    const turn = writing.then(write);
    writing = turn.catch(() => undefined);
    return turn;
  };

  async function makeRoom(database: IDBPDatabase<Tables>, neededBytes: number) {
    const quota = await navigator.storage?.estimate?.().catch(() => undefined);
    const [results, batches] = await Promise.all([database.getAll("results"), database.getAll("batches")]);
    const entries = [
      ...results.map(({ key, sizeBytes, keptAtMs, isSaved }) => ({
        id: key,
        sizeBytes,
        keptAtMs,
        isSaved,
        kind: "result" as const,
      })),
      ...batches.map(({ jobId, sizeBytes, keptAtMs }) => ({
        id: jobId,
        sizeBytes,
        keptAtMs,
        isSaved: true,
        kind: "batch" as const,
      })),
    ];
    const limitBytes = keptLimitBytes(quota?.quota);
    const gone = entriesToForget(entries, { nowMs: Date.now(), limitBytes, neededBytes });
    if (gone.length > 0) {
      const change = database.transaction(["results", "bytes", "batches"], "readwrite");
      for (const id of gone)
        for (const table of ["results", "bytes", "batches"] as const) void change.objectStore(table).delete(id);
      await change.done;
    }
    return neededBytes <= limitBytes;
  }

  const changed = async (database: IDBPDatabase<Tables>) => {
    noteKept(await database.count("results"));
    channel.postMessage("changed");
  };

  return {
    list: () =>
      inTurn(() =>
        quietly([], async (database) => {
          await makeRoom(database, 0);
          const results = await database.getAll("results");
          noteKept(results.length);
          return results.sort((one, other) => other.keptAtMs - one.keptAtMs);
        }),
      ),
    read: (key) => quietly(undefined, (database) => database.get("bytes", key)),
    keep: (result, blob) =>
      inTurn(() =>
        quietly(false, async (database) => {
          if (!(await makeRoom(database, result.sizeBytes))) return false;
          const change = database.transaction(["results", "bytes"], "readwrite");
          void change.objectStore("results").put(result);
          void change.objectStore("bytes").put({ blob, thumb: undefined }, result.key);
          await change.done;
          await changed(database);
          return true;
        }),
      ),
    addThumb: (key, thumb) =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          const change = database.transaction("bytes", "readwrite");
          const found = await change.store.get(key);
          if (found) await change.store.put({ ...found, thumb }, key);
          await change.done;
        }),
      ),
    markSaved: (keys) =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          const change = database.transaction("results", "readwrite");
          for (const key of keys) {
            const found = await change.store.get(key);
            if (found) await change.store.put({ ...found, isSaved: true });
          }
          await change.done;
          await changed(database);
        }),
      ),
    forget: () =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          const change = database.transaction(["results", "bytes", "batches"], "readwrite");
          for (const table of ["results", "bytes", "batches"] as const) void change.objectStore(table).clear();
          await change.done;
          await changed(database);
        }),
      ),
    keepBatch: (jobId, { sources, ...order }) =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          let sizeBytes = 0;
          const kept = sources.map((source) => {
            if (!source || sizeBytes + source.size > maxSourceBytes) return undefined;
            sizeBytes += source.size;
            return source;
          });
          if (!(await makeRoom(database, sizeBytes))) return;
          await database.put("batches", { ...order, jobId, sources: kept, sizeBytes, keptAtMs: Date.now() });
        }),
      ),
    findBatch: (jobId) =>
      quietly(undefined, async (database) => {
        const found = await database.get("batches", jobId);
        return found && "steps" in found ? found : undefined; // one of an earlier version has none
      }),
    forgetBatch: (jobId) => inTurn(() => quietly(undefined, (database) => database.delete("batches", jobId))),
    onChange(listener) {
      channel.onmessage = listener;
    },
  };
}

/** The next visit so knows whether there is something to read. */
function noteKept(count: number): void {
  try {
    if (count === 0) localStorage.removeItem(keptKey);
    else localStorage.setItem(keptKey, String(count));
  } catch {
    // Denied: then the list is not shown at the next visit.
  }
}
