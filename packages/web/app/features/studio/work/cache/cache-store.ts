import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Order } from "../../state/order.ts";
import type { Remarks } from "../../state/picture.ts";
import type { RecentResult } from "../../state/studio-state.ts";
import { cachedResultsKey } from "../earlier-visit.ts";
import { cacheLimitBytes, entriesToEvict } from "./cache-limits.ts";

/** A stored result's metadata. Its bytes are in a separate object store, to be read one at a time. */
export type CachedResult = Remarks &
  RecentResult & {
    /** The account's id, or "guest". An account's results are not shown to other users of this browser. */
    owner: string;
  };

/** A running batch with its settings and originals, to restore it after a reload. */
export type CachedBatch = Order & { sources: ReadonlyArray<File | undefined> };
/** `jobId` is the idempotency key of the job: the batch is stored before the server gives the job its id. */
type BatchRow = CachedBatch & { jobId: string; sizeBytes: number; keptAtMs: number };
type Bytes = { blob: Blob; thumb: Blob | undefined };

interface Tables extends DBSchema {
  results: { key: string; value: CachedResult };
  bytes: { key: string; value: Bytes };
  batches: { key: string; value: BatchRow };
}

/**
 * Stores results and originals between visits in IndexedDB. If that is denied or full, nothing is stored and no method throws:
 * reads resolve to nothing and `put` to false.
 */
export type CacheStore = {
  /** Newest first. */
  list(): Promise<readonly CachedResult[]>;
  read(key: string): Promise<Bytes | undefined>;
  /** Resolves to whether the result was stored. */
  put(result: CachedResult, blob: Blob): Promise<boolean>;
  addThumb(key: string, thumb: Blob): Promise<void>;
  markSaved(keys: readonly string[]): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
  putBatch(idempotencyKey: string, batch: CachedBatch): Promise<void>;
  findBatch(idempotencyKey: string): Promise<CachedBatch | undefined>;
  deleteBatch(idempotencyKey: string): Promise<void>;
  /** Calls back when another tab has changed the store. */
  onChange(listener: () => void): void;
};

/** Most bytes of originals stored per batch. Originals beyond it have no preview after a reload. */
const maxSourceBytes = 100e6;

export function createCacheStore(): CacheStore {
  let connection: Promise<IDBPDatabase<Tables>> | undefined;
  const channel = new BroadcastChannel("tintype.kept");

  const open = () => {
    connection ??= openDB<Tables>("tintype", 1, {
      upgrade(database) {
        database.createObjectStore("results", { keyPath: "key" });
        database.createObjectStore("bytes");
        database.createObjectStore("batches", { keyPath: "jobId" });
      },
    });
    connection.catch(() => {
      connection = undefined;
    });
    return connection;
  };
  /** Storage is best effort: a failure resolves to `fallback`. */
  const bestEffort = async <Value>(fallback: Value, run: (database: IDBPDatabase<Tables>) => Promise<Value>) => {
    try {
      return await run(await open());
    } catch {
      return fallback;
    }
  };

  /** Cached sizes and times of the batches: reading a row loads all of its files, and each of hundreds of results makes room. */
  let batches: ReadonlyMap<string, Pick<BatchRow, "sizeBytes" | "keptAtMs">> | undefined;
  const recordBatch = (idempotencyKey: string, facts?: Pick<BatchRow, "sizeBytes" | "keptAtMs">) => {
    const others = [...(batches ?? [])].filter(([id]) => id !== idempotencyKey);
    batches &&= new Map(facts ? [...others, [idempotencyKey, facts]] : others);
    channel.postMessage("changed");
  };
  async function readBatches(database: IDBPDatabase<Tables>) {
    const rows = await database.getAll("batches");
    return new Map(rows.map(({ jobId, sizeBytes, keptAtMs }) => [jobId, { sizeBytes, keptAtMs }]));
  }

  let writing: Promise<unknown> = Promise.resolve();
  /** Serialises the writes, since each one makes room for itself. */
  const enqueue = <Value>(write: () => Promise<Value>): Promise<Value> => {
    const result = writing.then(write);
    writing = result.catch(() => undefined);
    return result;
  };

  async function makeRoom(database: IDBPDatabase<Tables>, neededBytes: number) {
    const quota = await navigator.storage?.estimate?.().catch(() => undefined);
    const results = await database.getAll("results");
    batches ??= await readBatches(database);
    const entries = [
      ...results.map(({ key, sizeBytes, keptAtMs, isSaved }) => ({
        id: key,
        sizeBytes,
        keptAtMs,
        isSaved,
        kind: "result" as const,
      })),
      ...Array.from(batches, ([id, facts]) => ({ id, ...facts, isSaved: true, kind: "batch" as const })),
    ];
    const limitBytes = cacheLimitBytes(quota?.quota);
    const evicted = entriesToEvict(entries, { nowMs: Date.now(), limitBytes, neededBytes });
    if (evicted.length > 0) {
      const transaction = database.transaction(["results", "bytes", "batches"], "readwrite");
      for (const id of evicted)
        for (const table of ["results", "bytes", "batches"] as const) void transaction.objectStore(table).delete(id);
      await transaction.done;
      batches = undefined;
    }
    return neededBytes <= limitBytes;
  }

  const publishChange = async (database: IDBPDatabase<Tables>) => {
    writeCachedCount(await database.count("results"));
    channel.postMessage("changed");
  };

  return {
    list: () =>
      enqueue(() =>
        bestEffort([], async (database) => {
          await makeRoom(database, 0);
          const results = await database.getAll("results");
          writeCachedCount(results.length);
          return results.sort((one, other) => other.keptAtMs - one.keptAtMs);
        }),
      ),
    read: (key) => bestEffort(undefined, (database) => database.get("bytes", key)),
    put: (result, blob) =>
      enqueue(() =>
        bestEffort(false, async (database) => {
          if (!(await makeRoom(database, result.sizeBytes))) return false;
          const transaction = database.transaction(["results", "bytes"], "readwrite");
          void transaction.objectStore("results").put(result);
          void transaction.objectStore("bytes").put({ blob, thumb: undefined }, result.key);
          await transaction.done;
          await publishChange(database);
          return true;
        }),
      ),
    addThumb: (key, thumb) =>
      enqueue(() =>
        bestEffort(undefined, async (database) => {
          const transaction = database.transaction("bytes", "readwrite");
          const found = await transaction.store.get(key);
          if (found) await transaction.store.put({ ...found, thumb }, key);
          await transaction.done;
        }),
      ),
    markSaved: (keys) =>
      enqueue(() =>
        bestEffort(undefined, async (database) => {
          const transaction = database.transaction("results", "readwrite");
          for (const key of keys) {
            const found = await transaction.store.get(key);
            if (found) await transaction.store.put({ ...found, isSaved: true });
          }
          await transaction.done;
          await publishChange(database);
        }),
      ),
    clear: () =>
      enqueue(() =>
        bestEffort(undefined, async (database) => {
          const transaction = database.transaction(["results", "bytes", "batches"], "readwrite");
          for (const table of ["results", "bytes", "batches"] as const) void transaction.objectStore(table).clear();
          await transaction.done;
          batches = undefined;
          await publishChange(database);
        }),
      ),
    putBatch: (idempotencyKey, { sources, ...order }) =>
      enqueue(() =>
        bestEffort(undefined, async (database) => {
          let sizeBytes = 0;
          const stored = sources.map((source) => {
            if (!source || sizeBytes + source.size > maxSourceBytes) return undefined;
            sizeBytes += source.size;
            return source;
          });
          if (!(await makeRoom(database, sizeBytes))) return;
          const facts = { sizeBytes, keptAtMs: Date.now() };
          await database.put("batches", { ...order, jobId: idempotencyKey, sources: stored, ...facts });
          recordBatch(idempotencyKey, facts);
        }),
      ),
    findBatch: (idempotencyKey) =>
      bestEffort(undefined, async (database) => {
        const found = await database.get("batches", idempotencyKey);
        return found && "steps" in found ? found : undefined; // a row of an earlier version has none
      }),
    deleteBatch: (idempotencyKey) =>
      enqueue(() =>
        bestEffort(undefined, async (database) => {
          await database.delete("batches", idempotencyKey);
          recordBatch(idempotencyKey);
        }),
      ),
    onChange(listener) {
      channel.onmessage = () => {
        batches = undefined;
        listener();
      };
    },
  };
}

/** Tells the next visit whether there is anything to read. */
function writeCachedCount(count: number): void {
  try {
    if (count === 0) localStorage.removeItem(cachedResultsKey);
    else localStorage.setItem(cachedResultsKey, String(count));
  } catch {
    // Storage access is denied: the next visit does not show the list.
  }
}
