import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Order } from "../../state/order.ts";
import type { Remarks } from "../../state/picture.ts";
import type { RecentResult } from "../../state/studio-state.ts";
import { keptKey } from "../earlier-visit.ts";
import { entriesToForget, keptLimitBytes } from "./kept-limits.ts";

/** A stored result's metadata. Its bytes are in a separate object store, to be read one at a time. */
export type KeptResult = Remarks &
  RecentResult & {
    /** The account's id, or "guest". An account's results are not shown to other users of this browser. */
    owner: string;
  };

/** A running batch with its settings and originals, to restore it after a reload. */
export type KeptBatch = Order & { sources: ReadonlyArray<File | undefined> };
/** `jobId` is the idempotency key of the job: the batch is stored before the server gives the job its id. */
type BatchRow = KeptBatch & { jobId: string; sizeBytes: number; keptAtMs: number };
type Bytes = { blob: Blob; thumb: Blob | undefined };

interface Tables extends DBSchema {
  results: { key: string; value: KeptResult };
  bytes: { key: string; value: Bytes };
  batches: { key: string; value: BatchRow };
}

/**
 * Stores results and originals between visits in IndexedDB. If that is denied or full, nothing is stored and no method throws:
 * reads resolve to nothing and `keep` to false.
 */
export type KeptStore = {
  /** Newest first. */
  list(): Promise<readonly KeptResult[]>;
  read(key: string): Promise<Bytes | undefined>;
  /** Resolves to whether the result was stored. */
  keep(result: KeptResult, blob: Blob): Promise<boolean>;
  addThumb(key: string, thumb: Blob): Promise<void>;
  markSaved(keys: readonly string[]): Promise<void>;
  /** Deletes everything. */
  forget(): Promise<void>;
  keepBatch(idempotencyKey: string, batch: KeptBatch): Promise<void>;
  findBatch(idempotencyKey: string): Promise<KeptBatch | undefined>;
  forgetBatch(idempotencyKey: string): Promise<void>;
  /** Calls back when another tab has changed the store. */
  onChange(listener: () => void): void;
};

/** Most bytes of originals stored per batch. Originals beyond it have no preview after a reload. */
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
  /** Storage is best effort: a failure resolves to `otherwise`. */
  const quietly = async <Value>(otherwise: Value, use: (database: IDBPDatabase<Tables>) => Promise<Value>) => {
    try {
      return await use(await open());
    } catch {
      return otherwise;
    }
  };

  /** Cached sizes and times of the batches: reading a row loads all of its files, and each of hundreds of results makes room. */
  let batches: ReadonlyMap<string, Pick<BatchRow, "sizeBytes" | "keptAtMs">> | undefined;
  const noteBatch = (idempotencyKey: string, facts?: Pick<BatchRow, "sizeBytes" | "keptAtMs">) => {
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
  const inTurn = <Value>(write: () => Promise<Value>): Promise<Value> => {
    const turn = writing.then(write);
    writing = turn.catch(() => undefined);
    return turn;
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
    const limitBytes = keptLimitBytes(quota?.quota);
    const gone = entriesToForget(entries, { nowMs: Date.now(), limitBytes, neededBytes });
    if (gone.length > 0) {
      const change = database.transaction(["results", "bytes", "batches"], "readwrite");
      for (const id of gone)
        for (const table of ["results", "bytes", "batches"] as const) void change.objectStore(table).delete(id);
      await change.done;
      batches = undefined;
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
          batches = undefined;
          await changed(database);
        }),
      ),
    keepBatch: (idempotencyKey, { sources, ...order }) =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          let sizeBytes = 0;
          const kept = sources.map((source) => {
            if (!source || sizeBytes + source.size > maxSourceBytes) return undefined;
            sizeBytes += source.size;
            return source;
          });
          if (!(await makeRoom(database, sizeBytes))) return;
          const facts = { sizeBytes, keptAtMs: Date.now() };
          await database.put("batches", { ...order, jobId: idempotencyKey, sources: kept, ...facts });
          noteBatch(idempotencyKey, facts);
        }),
      ),
    findBatch: (idempotencyKey) =>
      quietly(undefined, async (database) => {
        const found = await database.get("batches", idempotencyKey);
        return found && "steps" in found ? found : undefined; // a row of an earlier version has none
      }),
    forgetBatch: (idempotencyKey) =>
      inTurn(() =>
        quietly(undefined, async (database) => {
          await database.delete("batches", idempotencyKey);
          noteBatch(idempotencyKey);
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
function noteKept(count: number): void {
  try {
    if (count === 0) localStorage.removeItem(keptKey);
    else localStorage.setItem(keptKey, String(count));
  } catch {
    // Storage access is denied: the next visit does not show the list.
  }
}
