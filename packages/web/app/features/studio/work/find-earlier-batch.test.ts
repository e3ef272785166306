import type { JobFile } from "@tintype/contract";
import { expect, test } from "vitest";
import { isSameOrder, orderOf } from "../state/order.ts";
import { initialState } from "../state/studio-state.ts";
import { job, jobFile } from "../testing/pictures.ts";
import type { CachedBatch } from "./cache/cache-store.ts";
import { findEarlierBatch } from "./find-earlier-batch.ts";

/** Finds the jobs of one submit from what a browser stored. */
async function find(kept: readonly Omit<CachedBatch, "sources">[], names: readonly string[]) {
  const batches = kept.map((one, index) => structuredClone({ ...one, sources: [new File(["x"], names[index] ?? "")] }));
  const list = kept.map((_, index) => ({ jobId: `job-${index}`, tool: "convert" as const, batch: "1" }));
  const jobOf = (id: string) => {
    const name = names[Number(id.slice(4))] ?? "";
    const source = { format: name.endsWith("pdf") ? "pdf" : "png", width: 4, height: 3, size_bytes: 1 } as const;
    return job([jobFile(0, { name, source })], { id });
  };
  const call = (_: string, { params }: { params: { id: string } }) => Promise.resolve(jobOf(params.id));
  const found = await findEarlierBatch({
    api: { call } as never, // only this endpoint is called
    remembered: { list: () => list, add: () => undefined, remove: () => undefined } as never, // as above
    findBatch: async (id) => batches[Number(id.slice(4))],
  });
  found?.release();
  return found;
}

const batch = (page: string, target = "webp"): Omit<CachedBatch, "sources"> => ({
  tool: "convert",
  settings: { target_format: target, page },
  cursor: 0,
  steps: [{ convert: { target_format: target, ...(page && { page: Number(page) }) } }],
  frame: undefined,
});

test("images and documents of one form are found as such: the form has its page, and nothing was changed", async () => {
  const found = await find([batch(""), batch("2")], ["a.png", "b.pdf"]);
  expect(found?.plan?.settings).toMatchObject({ page: "2" });
  expect(found?.pictures.map(({ customOptions }) => customOptions)).toEqual([undefined, undefined]);
  const { plan } = found ?? {};
  if (!plan) throw new Error("no plan");
  const state = { ...plan, settings: { ...initialState.settings, convert: plan.settings } };
  for (const picture of found?.pictures ?? []) {
    const order = found?.orders.get(picture.id);
    expect(order && isSameOrder(order, orderOf(state, picture))).toBe(true);
  }
});

test("an ended batch is found again as long as it has results to bring over", async () => {
  const facts = { format: "png", width: 4, height: 3, size_bytes: 3, name: "a.png" } as const;
  const isFound = async (file: Partial<JobFile>) => {
    const api = { call: async () => job([jobFile(0, { ...file, result: facts })], { state: "done" }) };
    const found = await findEarlierBatch({
      api: api as never, // only this endpoint is called
      remembered: { list: () => [{ jobId: "job-1", tool: "convert" }], add() {}, remove() {} } as never, // as above
      findBatch: async () => undefined,
    });
    found?.release();
    return found !== undefined;
  };
  expect(await isFound({ state: "done", name: "a.jpg" })).toBe(true);
  expect(await isFound({ state: "done", name: "a.jpg", delivered: true })).toBe(false);
  expect(await isFound({ state: "unchanged", name: "a.jpg" })).toBe(true);
  expect(await isFound({ state: "unchanged", name: "a.png" })).toBe(false);
});

test("options of its own stay a picture's own", async () => {
  const found = await find([batch(""), batch("", "png")], ["a.png", "b.png"]);
  expect(found?.pictures.map(({ customOptions }) => customOptions)).toEqual([
    undefined,
    { convert: batch("", "png").settings },
  ]);
});
