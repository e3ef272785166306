import { expect, test } from "vitest";
import { createStore } from "../../../../lib/store.ts";
import type { Picture } from "../../state/picture.ts";
import { initialState } from "../../state/studio-state.ts";
import { updateStudio } from "../../state/update-studio.ts";
import { idOf, picture, result } from "../../testing/pictures.ts";
import { createKeptWork } from "./create-kept-work.ts";
import type { KeptResult, KeptStore } from "./kept-store.ts";

/** A browser that keeps its results in memory. */
function memoryStore(): KeptStore {
  const results: KeptResult[] = [];
  const blobs = new Map<string, Blob>();
  const nothing = async () => undefined;
  return {
    list: async () => results,
    read: async (key) => ({ blob: blobs.get(key) ?? new Blob(), thumb: undefined }),
    async keep(kept, blob) {
      results.push(kept);
      blobs.set(kept.key, blob);
      return true;
    },
    addThumb: nothing,
    markSaved: nothing,
    forget: nothing,
    keepBatch: nothing,
    findBatch: nothing,
    forgetBatch: nothing,
    onChange: () => undefined,
  };
}

/** A page of this browser. */
function openPage(kept: KeptStore) {
  const store = createStore({ initial: initialState, update: updateStudio, perform: () => undefined });
  const work = createKeptWork({ store }, kept);
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
  const [recalled] = await work.recall([again], keys);
  expect(recalled).toMatchObject({ id: "again.png", ...remarks, result: { job } });
});

test("a result of an earlier visit still says that a part is missing, and offers no candidates", async () => {
  const kept = memoryStore();
  openPage(kept).add(cutOut);
  await expect.poll(() => kept.list()).toHaveLength(1);
  const { work, add } = openPage(kept);
  add(again);
  await work.refreshRecent();
  const [recalled] = await work.recall([again], keys);
  expect(recalled).toMatchObject({ isIncomplete: true, confidence: 0.97 });
  expect(recalled).not.toHaveProperty("candidates");
  expect(recalled?.result).not.toHaveProperty("job");
});
