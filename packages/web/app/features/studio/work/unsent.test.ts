// @vitest-environment jsdom

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "../../../lib/store.ts";
import { initialState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";
import { accepted, added, after, idOf, quality, sending } from "../testing/pictures.ts";
import { hasStored, unsentKey } from "./earlier-visit.ts";
import { storeUnsent, takeUnsent } from "./unsent.ts";

/** The subset of CacheStorage that is used. */
function fakeCaches() {
  const entries = new Map<string, Response>();
  const cache = {
    put: async (path: string, response: Response) => void entries.set(path, response),
    match: async (request: Request | string) =>
      entries.get(typeof request === "string" ? request : new URL(request.url).pathname)?.clone(),
    delete: async (request: Request | string) =>
      entries.delete(typeof request === "string" ? request : new URL(request.url).pathname),
    keys: async () => [...entries.keys()].map((path) => ({ url: `http://localhost${path}` })),
  };
  vi.stubGlobal("caches", { open: async () => cache });
  return entries;
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
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function setUp(initial = initialState) {
  const store = createStore({ initial, update: updateStudio, perform: () => undefined });
  store.subscribe(storeUnsent(store));
  return store;
}
const settle = () => vi.advanceTimersByTimeAsync(1000);
const names = (files: readonly File[]) => files.map(({ name }) => name);

// product: unsent-kept
test("pictures that wait to be sent are there after a reload, in their order and once", async () => {
  fakeCaches();
  const store = setUp();
  store.dispatch(added("a.png", "b.png"));
  await settle();
  store.dispatch(added("ü.png"));
  store.dispatch({ type: "pictures-removed", ids: [idOf("a.png")] });
  await settle();
  expect(hasStored(unsentKey)).toBe(true);
  const files = await takeUnsent();
  expect(names(files)).toEqual(["b.png", "ü.png"]);
  expect(files[0]?.type).toBe("image/png");
  expect(names(await takeUnsent())).toEqual([]);
});

test("a page that is opened anew begins without the pictures of the one before", async () => {
  const entries = fakeCaches();
  const store = setUp();
  store.dispatch(added("a.png"));
  await settle();
  navigated("navigate");
  expect(await takeUnsent()).toEqual([]);
  expect(entries.size).toBe(0);
});

test("what is sent is forgotten at once: a reload in the next moment does not bring it back", async () => {
  fakeCaches();
  let state = setUp().read();
  const keep = storeUnsent({ read: () => state });
  state = updateStudio(state, added("a.png")).state;
  keep();
  await settle();
  expect(hasStored(unsentKey)).toBe(true);
  state = accepted(["a"]);
  keep();
  expect(hasStored(unsentKey)).toBe(false);
});

test("pictures are unsent until the server has accepted them: a reload in the middle of an upload restores the rest", async () => {
  fakeCaches();
  // Two parts: b has an option of its own.
  const customOptions = {
    type: "custom-options-set",
    ids: [idOf("b")],
    tool: "compress",
    settings: { quality: "90" },
  } as const;
  const ready = after([added("a", "b"), quality("75"), customOptions]);
  let state = ready;
  const keep = storeUnsent({ read: () => state });
  keep();
  await settle();
  state = sending(["a", "b"], ready);
  keep();
  expect(sessionStorage.getItem(unsentKey)?.split("\n")).toHaveLength(2);
  state = after([{ type: "part-accepted", batch: state.batch, jobId: "job-1", idempotencyKey: "key-1" }], state);
  keep();
  expect(names(await takeUnsent())).toEqual(["b"]);
});

test("a batch that was sent is found by its job, and its pictures are not kept here", async () => {
  const entries = fakeCaches();
  const store = setUp(accepted(["a"]));
  store.dispatch({ type: "picture-selected", id: idOf("a") });
  await settle();
  expect(entries.size).toBe(0);
  expect(hasStored(unsentKey)).toBe(false);
});

test("nothing is left once all pictures are taken away, and nothing of another tab is taken", async () => {
  const entries = fakeCaches();
  entries.set(`/unsent/other/${Date.now()}-1`, new Response("x", { headers: { "x-name": "theirs.png" } }));
  entries.set("/unsent/older/1000-1", new Response("x", { headers: { "x-name": "old.png" } }));
  const store = setUp();
  store.dispatch(added("a.png"));
  await settle();
  expect(entries.size).toBe(3);
  store.dispatch({ type: "pictures-cleared" });
  await settle();
  expect(hasStored(unsentKey)).toBe(false);
  expect(names(await takeUnsent())).toEqual([]);
  expect([...entries.keys()].map((path) => path.split("/")[2])).toEqual(["other"]);
});

test("a browser without room for pictures takes nothing else away", async () => {
  vi.stubGlobal("caches", { open: () => Promise.reject(new DOMException("denied", "SecurityError")) });
  const store = setUp();
  store.dispatch(added("a.png"));
  await settle();
  expect(store.read().pictures).toHaveLength(1);
  expect(hasStored(unsentKey)).toBe(false);
});
