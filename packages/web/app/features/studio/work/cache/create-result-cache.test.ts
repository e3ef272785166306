import { expect, test } from "vitest";
import { createStore } from "../../../../lib/store.ts";
import type { Picture } from "../../state/picture.ts";
import { initialState } from "../../state/studio-state.ts";
import { costOf } from "../../state/to-send.ts";
import { updateStudio } from "../../state/update-studio.ts";
import { accepted, heard, idOf, jobFile, job as jobOf, picture, result } from "../../testing/pictures.ts";
import type { CachedResult, CacheStore } from "./cache-store.ts";
import { createResultCache } from "./create-result-cache.ts";

/** An in-memory store of results. */
function memoryStore(): CacheStore {
  const results: CachedResult[] = [];
  const blobs = new Map<string, Blob>();
  const nothing = async () => undefined;
  return {
    list: async () => results,
    read: async (key) => ({ blob: blobs.get(key) ?? new Blob(), thumb: undefined }),
    async put(cached, blob) {
      results.push(cached);
      blobs.set(cached.key, blob);
      return true;
    },
    addThumb: nothing,
    markSaved: nothing,
    clear: nothing,
    putBatch: nothing,
    findBatch: nothing,
    deleteBatch: nothing,
    onChange: () => undefined,
  };
}

/** Opens a page that shares this store. */
function openPage(cacheStore: CacheStore) {
  const store = createStore({ initial: initialState, update: updateStudio, perform: () => undefined });
  const work = createResultCache({ store }, cacheStore);
  const add = (...pictures: Picture[]) => store.dispatch({ type: "pictures-added", pictures, refusals: [] });
  return { store, work, add };
}

const job = { id: "job-1", index: 0 };
const remarks = { notes: [], confidence: 0.97, candidates: [0.97, 0.85], isIncomplete: true };
const cutOut = picture("head.png", {
  outcome: { kind: "done", result: { ...result("head.png"), key: "work-1", job }, ...remarks },
});
const again = picture("again.png");
const keys = new Map([[idOf("again.png"), "work-1"]]);

test("a result of the same page comes with its candidates, whose job is still there", async () => {
  const { work, add } = openPage(memoryStore());
  add(cutOut, again);
  const [reused] = await work.findResults([again], keys);
  expect(reused).toMatchObject({ id: "again.png", ...remarks, result: { job } });
});

test("a result of an earlier visit still says that a part is missing, and offers no candidates", async () => {
  const cacheStore = memoryStore();
  openPage(cacheStore).add(cutOut);
  await expect.poll(() => cacheStore.list()).toHaveLength(1);
  const { work, add } = openPage(cacheStore);
  add(again);
  await work.refreshRecent();
  const [reused] = await work.findResults([again], keys);
  expect(reused).toMatchObject({ isIncomplete: true, confidence: 0.97 });
  expect(reused).not.toHaveProperty("candidates");
  expect(reused?.result).not.toHaveProperty("job");
});

test("as soon as a batch is over, the same work is priced as done", async () => {
  const initial = accepted(["harbour.png"]);
  const store = createStore({ initial, update: updateStudio, perform: () => undefined });
  const work = createResultCache({ store }, memoryStore());
  const key = (await work.keysOf(initial.pictures, initial.run?.orders ?? new Map())).get(idOf("harbour.png"));
  const { batch } = initial;
  store.dispatch(
    heard({ type: "snapshot", job: jobOf([jobFile(0, { state: "done", progress: 1 })], { state: "done" }) }),
  );
  store.dispatch({ type: "result-arrived", batch, id: idOf("harbour.png"), result: { ...result("harbour.png"), key } });
  expect(costOf(store.read())).toBe(1);
  store.dispatch({ type: "followed", batch });
  expect(costOf(store.read())).toBe(0);
});
