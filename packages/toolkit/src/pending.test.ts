import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { digest } from "./digest.ts";
import { type BatchCandidate, openPending, type PendingWork, pendingKeyOf } from "./pending.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-pending-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(room, `${++count}`);
});

const candidate = (name: string): BatchCandidate => {
  const entry = digest(`entry of ${name}`);
  return { key: pendingKeyOf(entry, name), entry, name, bytes: Buffer.from(`bytes of ${name}`) };
};
const keyOf = (name: string) => candidate(name).key;
const clock = () => new Date();
const begin = (pending: PendingWork, names: readonly string[], done: readonly string[] = []) =>
  pending.beginBatch(names.map(candidate), {
    isDone: async (entry) => done.some((name) => candidate(name).entry === entry),
    clock,
  });
const noteAt = (key: string) => join(folder, "pending", key.slice(0, 2), key.slice(2));
const writeNote = (key: string, note: object) => {
  mkdirSync(dirname(noteAt(key)), { recursive: true });
  writeFileSync(noteAt(key), JSON.stringify(note));
};

test("the next process finds a batch by each picture, with its key, its order and its bytes", async () => {
  const batch = await begin(openPending(folder), ["b.jpg", "a.jpg", "c.jpg"]);
  const next = openPending(folder);
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) {
    expect(await next.findPending(keyOf(name), clock())).toEqual({ kind: "batch", batch });
    expect(await next.beginPending(keyOf(name), clock())).toEqual({ kind: "batch", batch });
  }
  expect(batch?.members.map(({ name }) => name)).toEqual(["b.jpg", "a.jpg", "c.jpg"]);
  expect(batch?.members.map(({ path }) => readFileSync(path, "utf8"))).toEqual(
    ["b.jpg", "a.jpg", "c.jpg"].map((name) => `bytes of ${name}`),
  );
  if (batch) await next.endBatch(batch);
  expect(await next.findPending(keyOf("a.jpg"), clock())).toBeUndefined();
  expect(readdirSync(join(folder, "batches"))).toEqual([]);
});

test("of batches that begin at once each picture is in one", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.jpg`);
  const batches = await Promise.all([
    begin(openPending(folder), names.slice(0, 8)),
    begin(openPending(folder), names.slice(4).toReversed()),
    begin(openPending(folder), names),
  ]);
  const members = batches.flatMap((batch) => batch?.members.map(({ name }) => name) ?? []);
  expect(new Set(members).size).toBe(members.length);
});

test("a picture that is pending alone, and one that was done meanwhile, are left out of a batch", async () => {
  const pending = openPending(folder);
  const alone = await pending.beginPending(keyOf("a.jpg"), clock());
  const batch = await begin(pending, ["a.jpg", "b.jpg", "c.jpg", "d.jpg"], ["b.jpg"]);
  expect(batch?.members.map(({ name }) => name)).toEqual(["c.jpg", "d.jpg"]);
  expect(await pending.findPending(keyOf("a.jpg"), clock())).toEqual(alone);
  expect(await pending.findPending(keyOf("b.jpg"), clock())).toBeUndefined();
});

test("a batch of one is none, and leaves nothing", async () => {
  const pending = openPending(folder);
  expect(await begin(pending, ["a.jpg", "b.jpg"], ["b.jpg"])).toBeUndefined();
  expect(await pending.findPending(keyOf("a.jpg"), clock())).toBeUndefined();
  expect(readdirSync(join(folder, "batches"))).toEqual([]);
});

test("a batch that its process did not live to write was never sent: its pictures are free", async () => {
  const begunAt = new Date(Date.now() - 60_000).toISOString();
  writeNote(keyOf("a.jpg"), { batch: "6f1c2f3e-0000-4000-8000-000000000000", begunAt });
  expect(await openPending(folder).beginPending(keyOf("a.jpg"), clock())).toMatchObject({ kind: "alone" });
});

test("a batch that another process is writing is waited for", async () => {
  const batch = await begin(openPending(folder), ["a.jpg", "b.jpg"]);
  const record = join(folder, "batches", batch?.id ?? "", "batch.json");
  const written = readFileSync(record);
  rmSync(record);
  const found = openPending(folder).findPending(keyOf("a.jpg"), clock());
  writeFileSync(record, written);
  expect(await found).toEqual({ kind: "batch", batch });
});

test("a batch with damaged bytes is not repeated", async () => {
  const batch = await begin(openPending(folder), ["a.jpg", "b.jpg"]);
  writeFileSync(batch?.members[1]?.path ?? "", "other bytes");
  const later = new Date(Date.now() + 60_000);
  expect(await openPending(folder).findPending(keyOf("a.jpg"), later)).toBeUndefined();
});

test("after 23 hours, before a server forgets its key, a batch is forgotten and its pictures are removed", async () => {
  const batch = await begin(openPending(folder), ["a.jpg", "b.jpg"]);
  const path = join(folder, "batches", batch?.id ?? "");
  const dayAgo = new Date(Date.now() - 86_400_000);
  utimesSync(path, dayAgo, dayAgo);
  const tomorrow = new Date(Date.now() + 86_400_000);
  const next = openPending(folder);
  expect(await next.findPending(keyOf("a.jpg"), tomorrow)).toBeUndefined();
  await begin(next, ["c.jpg", "d.jpg"]);
  expect(existsSync(path)).toBe(false);
});

test.each([
  ["a path for a batch", { batch: "../../photos" }],
  ["no time", { begunAt: "soon" }],
])("a note that was prepared with %s is none", async (_, wrong) => {
  writeNote(keyOf("a.jpg"), { idempotencyKey: 1, begunAt: new Date().toISOString(), ...wrong });
  expect(await openPending(folder).findPending(keyOf("a.jpg"), clock())).toBeUndefined();
});
