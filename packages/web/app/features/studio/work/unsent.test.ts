// @vitest-environment jsdom

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "../../../lib/store.ts";
import { initialState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";
import { accepted, added, after, idOf, quality, sending } from "../testing/pictures.ts";
import { hasStored, unsentKey } from "./earlier-visit.ts";
import type { FileStore } from "./intake/file-store.ts";
import { storeUnsent, takeUnsent } from "./unsent.ts";

/** A store in memory, and its files. */
function memoryFiles() {
  const stored = new Map<string, File>();
  const files: FileStore = {
    put: async (path, file) => void stored.set(path, file),
    read: async (path) => stored.get(path),
    async delete(paths) {
      for (const path of paths) stored.delete(path);
    },
    paths: async () => [...stored.keys()].sort(),
  };
  return { stored, files };
}

const navigated = (type: "reload" | "navigate") =>
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as unknown as PerformanceEntry]); // only `type` is read

beforeEach(() => {
  vi.useFakeTimers();
  navigated("reload");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  sessionStorage.clear();
});

function setUp(files: FileStore, initial = initialState) {
  const store = createStore({ initial, update: updateStudio, perform: () => undefined });
  store.subscribe(storeUnsent(store, files));
  return store;
}
const settle = () => vi.advanceTimersByTimeAsync(1000);
const names = (files: readonly File[]) => files.map(({ name }) => name);

// product: unsent-kept
test("pictures that wait to be sent are there after a reload, in their order and once", async () => {
  const { files } = memoryFiles();
  const store = setUp(files);
  store.dispatch(added("a.png", "b.png"));
  await settle();
  store.dispatch(added("ü.png"));
  store.dispatch({ type: "pictures-removed", ids: [idOf("a.png")] });
  await settle();
  expect(hasStored(unsentKey)).toBe(true);
  const taken = await takeUnsent(files);
  expect(names(taken)).toEqual(["b.png", "ü.png"]);
  expect(taken[0]?.type).toBe("image/png");
  expect(names(await takeUnsent(files))).toEqual([]);
});

test("a page that is opened anew begins without the pictures of the one before", async () => {
  const { stored, files } = memoryFiles();
  const store = setUp(files);
  store.dispatch(added("a.png"));
  await settle();
  navigated("navigate");
  expect(await takeUnsent(files)).toEqual([]);
  expect(stored.size).toBe(0);
});

test("what is sent is forgotten at once: a reload in the next moment does not bring it back", async () => {
  const { files } = memoryFiles();
  let state = setUp(files).read();
  const keep = storeUnsent({ read: () => state }, files);
  state = updateStudio(state, added("a.png")).state;
  keep();
  await settle();
  expect(hasStored(unsentKey)).toBe(true);
  state = accepted(["a"]);
  keep();
  expect(hasStored(unsentKey)).toBe(false);
});

test("pictures are unsent until the server has accepted them: a reload in the middle of an upload restores the rest", async () => {
  const { files } = memoryFiles();
  // Two parts: b has an option of its own.
  const customOptions = {
    type: "custom-options-set",
    ids: [idOf("b")],
    tool: "compress",
    settings: { quality: "90" },
  } as const;
  const ready = after([added("a", "b"), quality("75"), customOptions]);
  let state = ready;
  const keep = storeUnsent({ read: () => state }, files);
  keep();
  await settle();
  state = sending(["a", "b"], ready);
  keep();
  expect(sessionStorage.getItem(unsentKey)?.split("\n")).toHaveLength(2);
  state = after([{ type: "part-accepted", batch: state.batch, jobId: "job-1", idempotencyKey: "key-1" }], state);
  keep();
  expect(names(await takeUnsent(files))).toEqual(["b"]);
});

test("a batch that was sent is found by its job, and its pictures are not kept here", async () => {
  const { stored, files } = memoryFiles();
  const store = setUp(files, accepted(["a"]));
  store.dispatch({ type: "picture-selected", id: idOf("a") });
  await settle();
  expect(stored.size).toBe(0);
  expect(hasStored(unsentKey)).toBe(false);
});

test("nothing is left once all pictures are taken away, and nothing of another tab is taken", async () => {
  const { stored, files } = memoryFiles();
  stored.set(`/unsent/other/${Date.now()}-1`, new File(["x"], "theirs.png"));
  stored.set("/unsent/older/1000-1", new File(["x"], "old.png"));
  const store = setUp(files);
  store.dispatch(added("a.png"));
  await settle();
  expect(stored.size).toBe(3);
  store.dispatch({ type: "pictures-cleared" });
  await settle();
  expect(hasStored(unsentKey)).toBe(false);
  expect(names(await takeUnsent(files))).toEqual([]);
  expect([...stored.keys()].map((path) => path.split("/")[2])).toEqual(["other"]);
});

test("a browser without room for pictures takes nothing else away", async () => {
  const denied = () => Promise.reject(new DOMException("denied", "SecurityError"));
  const store = setUp({ put: denied, read: denied, delete: denied, paths: denied });
  store.dispatch(added("a.png"));
  await settle();
  expect(store.read().pictures).toHaveLength(1);
  expect(hasStored(unsentKey)).toBe(false);
});
