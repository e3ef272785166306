import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { digest, digestForm } from "./digest.ts";
import { isObject, readJson } from "./read-json.ts";
import { codeOf, makeFolder, writeWhole } from "./whole-file.ts";

/** A picture of a batch. `key` identifies its pending work, `entry` its cache entry, `path` its bytes. */
export type PendingMember = {
  key: string;
  entry: string;
  name: string;
  sha256: string;
  sizeBytes: number;
  path: string;
};

/** Pictures sent to a server in one call, in that order. */
export type PendingBatch = { id: string; idempotencyKey: string; members: readonly PendingMember[] };

/** Work that may have reached a server: after a process is killed, the next one sends the same request again. */
export type Pending = { kind: "alone"; idempotencyKey: string } | { kind: "batch"; batch: PendingBatch };

export type BatchCandidate = { key: string; entry: string; name: string; bytes: Uint8Array };

/** The key of pending work. To a server, another file name is another request, so an Idempotency-Key cannot cover both. */
export const pendingKeyOf = (entry: string, name: string): string => digest(JSON.stringify([entry, name]));

export type PendingWork = {
  findPending(key: string, now: Date): Promise<Pending | undefined>;
  /** What is pending under the key; if nothing is, starts a call with this picture alone. */
  beginPending(key: string, now: Date): Promise<Pending>;
  endPending(key: string): Promise<void>;
  /**
   * Stores the bytes and the order of a call's pictures before it is sent: a server binds an Idempotency-Key to both.
   * Pictures that are already pending, or that another run has just finished, are left out; undefined if fewer than
   * two remain.
   */
  beginBatch(
    candidates: readonly BatchCandidate[],
    known: { isDone(entry: string): Promise<boolean>; clock(): Date },
  ): Promise<PendingBatch | undefined>;
  /** False once a run has finished it. */
  hasBatch(batch: PendingBatch): Promise<boolean>;
  endBatch(batch: PendingBatch): Promise<void>;
};

/** A server keeps an Idempotency-Key for 24 hours. */
const pendingLifeMs = 23 * 3_600_000;
/** A batch is written within this time of its first picture, or abandoned. */
const maxAssemblyMs = 5_000;
/** A batch not written by then was never sent: its process was killed. */
const abandonedAfterMs = 2 * maxAssemblyMs;
const pollIntervalMs = 50;
const recordName = "batch.json";

/** `file` is the name of the picture's file in the batch's folder. */
type Recorded = Omit<PendingMember, "path"> & { file: number };
const placed = ({ file, ...member }: Recorded, room: string): PendingMember => ({
  ...member,
  path: join(room, `${file}`),
});

type Note = { begunAt: Date } & ({ idempotencyKey: string } | { batch: string });

/** Pending work in the cache's folder: a note for each picture, and a folder for each batch. */
export function openPending(folder: string): PendingWork {
  const noteAt = (key: string) => join(folder, "pending", key.slice(0, 2), key.slice(2));
  const batchesAt = join(folder, "batches");
  let hasSwept = false;

  const find: PendingWork["findPending"] = async (key, now) => {
    const path = noteAt(key);
    for (let waitedMs = 0; ; waitedMs += pollIntervalMs) {
      const note = await readNote(path);
      if (!note) return undefined;
      const ageMs = now.getTime() + waitedMs - note.begunAt.getTime();
      if ("idempotencyKey" in note && ageMs < pendingLifeMs)
        return { kind: "alone", idempotencyKey: note.idempotencyKey };
      const batch = "batch" in note && ageMs < pendingLifeMs ? await readBatch(batchesAt, note.batch) : undefined;
      if (batch?.members.some((member) => member.key === key)) return { kind: "batch", batch };
      if ("idempotencyKey" in note || Math.max(ageMs, waitedMs) > abandonedAfterMs) {
        await rm(path, { force: true });
        return undefined;
      }
      await sleep(pollIntervalMs); // another process is writing the batch
    }
  };

  const release = async (keys: readonly string[], batch: string) => {
    for (const key of keys) {
      const note = await readNote(noteAt(key));
      if (note && "batch" in note && note.batch === batch) await rm(noteAt(key), { force: true });
    }
    await rm(join(batchesAt, batch), { recursive: true, force: true });
  };

  const sweep = async (now: Date) => {
    if (hasSwept) return;
    hasSwept = true;
    for (const id of await readdir(batchesAt).catch(() => [])) {
      const facts = idForm.test(id) ? await stat(join(batchesAt, id)).catch(() => undefined) : undefined;
      if (facts && now.getTime() - facts.mtimeMs > pendingLifeMs)
        await rm(join(batchesAt, id), { recursive: true, force: true });
    }
  };

  return {
    findPending: find,
    async beginPending(key, now) {
      const before = await find(key, now);
      if (before) return before;
      const idempotencyKey = randomUUID();
      const note = JSON.stringify({ idempotencyKey, begunAt: now.toISOString() });
      try {
        await writeWhole(noteAt(key), note, { isNew: true });
      } catch {
        // Another run has just started the same work; under two keys, a server would charge both.
        const other = await find(key, now);
        if (other) return other;
        await writeWhole(noteAt(key), note); // the existing file is damaged
      }
      return { kind: "alone", idempotencyKey };
    },
    endPending: (key) => rm(noteAt(key), { force: true }),
    async beginBatch(candidates, { isDone, clock }) {
      await sweep(clock());
      const id = randomUUID();
      const room = join(batchesAt, id);
      const claimed: string[] = [];
      const members: Recorded[] = [];
      try {
        await makeFolder(room);
        for (const [file, { bytes }] of candidates.entries()) await writeFile(join(room, `${file}`), bytes);
        const begunAt = clock();
        const note = JSON.stringify({ batch: id, begunAt: begunAt.toISOString() });
        for (const [file, { key, entry, name, bytes }] of candidates.entries()) {
          const isFree = await writeWhole(noteAt(key), note, { isNew: true }).then(() => true, refuseUnlessThere);
          if (!isFree) continue;
          claimed.push(key);
          // Check now that nobody else can start it: a run that finished it before has stored its result.
          if (await isDone(entry)) await rm(noteAt(key), { force: true });
          else members.push({ key, entry, name, file, sha256: digest(bytes), sizeBytes: bytes.length });
        }
        if (members.length >= 2 && clock().getTime() - begunAt.getTime() < maxAssemblyMs) {
          const idempotencyKey = randomUUID();
          await writeWhole(join(room, recordName), JSON.stringify({ idempotencyKey, members }));
          return { id, idempotencyKey, members: members.map((member) => placed(member, room)) };
        }
      } catch (problem) {
        await release(claimed, id).catch(() => {}); // the first error is more informative
        throw problem;
      }
      await release(claimed, id);
      return undefined;
    },
    hasBatch: async ({ id }) => (await readJson(join(batchesAt, id, recordName))) !== undefined,
    endBatch: ({ id, members }) =>
      release(
        members.map(({ key }) => key),
        id,
      ),
  };
}

function refuseUnlessThere(problem: unknown): false {
  if (codeOf(problem) === "EEXIST") return false;
  throw problem;
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function readNote(path: string): Promise<Note | undefined> {
  const read = await readJson(path);
  if (!isObject(read) || typeof read["begunAt"] !== "string") return undefined;
  const { idempotencyKey, batch } = read;
  const begunAt = new Date(read["begunAt"]);
  if (Number.isNaN(begunAt.getTime())) return undefined;
  if (typeof idempotencyKey === "string") return { idempotencyKey, begunAt };
  return typeof batch === "string" && idForm.test(batch) ? { batch, begunAt } : undefined;
}

/** The batch with its bytes as they were sent; undefined if any of it is damaged or missing. */
async function readBatch(batchesAt: string, id: string): Promise<PendingBatch | undefined> {
  const read = await readJson(join(batchesAt, id, recordName));
  if (!isObject(read) || typeof read["idempotencyKey"] !== "string" || !Array.isArray(read["members"]))
    return undefined;
  const members: PendingMember[] = [];
  for (const member of read["members"] as unknown[]) {
    if (!isRecorded(member)) return undefined;
    const one = placed(member, join(batchesAt, id));
    const bytes = await readFile(one.path).catch(() => undefined);
    if (!bytes || digest(bytes) !== one.sha256) return undefined;
    members.push(one);
  }
  return { id, idempotencyKey: read["idempotencyKey"], members };
}

function isRecorded(value: unknown): value is Recorded {
  if (!isObject(value)) return false;
  const { key, entry, sha256, name, file, sizeBytes } = value;
  return (
    [key, entry, sha256].every((one) => typeof one === "string" && digestForm.test(one)) &&
    typeof name === "string" &&
    [file, sizeBytes].every(Number.isInteger)
  );
}
