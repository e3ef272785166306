import { expect, test } from "vitest";
import { after, picture, result, sending } from "../testing/pictures.ts";
import { groupOf, inGroup } from "./grid-view.ts";
import { timeLeft } from "./summary.ts";

test("while a batch is uploaded only the pictures whose bytes go out change: the other rows are not drawn again", () => {
  const names = ["a", "b", "c", "d"];
  const before = sending(names);
  const next = after([{ type: "upload-progressed", batch: 1, sentBytes: 1500, totalBytes: 4000 }], before);
  expect(next.pictures.map(({ outcome }) => (outcome.kind === "uploading" ? outcome.share : -1))).toEqual([
    1, 0.5, 0, 0,
  ]);
  expect(next.pictures.map((one, index) => one === before.pictures[index])).toEqual([false, false, true, true]);
  const later = after([{ type: "upload-progressed", batch: 1, sentBytes: 1800, totalBytes: 4000 }], next);
  expect(later.pictures.map((one, index) => one === next.pictures[index])).toEqual([true, false, true, true]);
});

test("a list is looked through by what became of each picture", () => {
  const remarks = { notes: [], confidence: undefined };
  const all = [
    picture("was left out"),
    picture("waits", { outcome: { kind: "waiting" } }),
    picture("works", { outcome: { kind: "working", progress: 0.5, stage: undefined } }),
    picture("done", { outcome: { kind: "done", result: result("done.png"), ...remarks } }),
    picture("same", { outcome: { kind: "unchanged", reason: "It is a PNG already." } }),
    picture("failed", { outcome: { kind: "failed", reason: "", code: undefined } }),
    picture("stopped", { outcome: { kind: "cancelled" } }),
  ];
  expect(all.map(groupOf)).toEqual(["rest", "open", "open", "done", "done", "rest", "rest"]);
  expect(inGroup(all, "rest").map(({ name }) => name)).toEqual(["was left out", "failed", "stopped"]);
  expect(inGroup(all, "all")).toBe(all);
});

test.each([
  [2_000, 0.5, ""],
  [60_000, 0.01, ""],
  [10_000, 0.6, "a few seconds left"],
  [10_000, 0.25, "about 30 seconds left"],
  [60_000, 0.5, "about a minute left"],
  [60_000, 0.1, "about 9 minutes left"],
  [60_000, 1, ""],
])("after %i ms at %d the rest is %j", (elapsedMs, share, words) => {
  expect(timeLeft({ elapsedMs, share })).toBe(words);
});
