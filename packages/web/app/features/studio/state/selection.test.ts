import { expect, test } from "vitest";
import { accepted, added, after, arrived, heard, idOf, jobFile, quality } from "../testing/pictures.ts";
import { findObstacle } from "./find-obstacle.ts";
import { selectionAfter } from "./selection.ts";
import { chosenPictures, costOf, picturesToSend } from "./to-send.ts";

const [a, b, c, d] = [idOf("a"), idOf("b"), idOf("c"), idOf("d")];
const order = [a, b, c, d];

test("one picture, one more or one fewer, and a range both ways from the anchor", () => {
  const selecting = { selection: new Set([b]), order, anchor: c };
  expect(selectionAfter(selecting, { id: a, change: "only" })).toEqual(new Set([a]));
  expect(selectionAfter(selecting, { id: a, change: "toggle" })).toEqual(new Set([a, b]));
  expect(selectionAfter(selecting, { id: b, change: "toggle" })).toEqual(new Set());
  expect([...selectionAfter(selecting, { id: a, change: "range" })]).toEqual([a, b, c]);
  expect([...selectionAfter(selecting, { id: d, change: "range" })]).toEqual([c, d]);
  for (const anchor of [undefined, idOf("gone")])
    expect([...selectionAfter({ ...selecting, anchor }, { id: d, change: "range" })]).toEqual([d]);
});

test("a submit is about the selected pictures, about all without a selection, and a removed one is selected no more", () => {
  const all = after([added("a"), added("b"), added("c"), quality("75")]);
  const two = after([{ type: "selection-changed", ids: new Set([a, c]) }], all);
  expect(picturesToSend(two).map(({ id }) => id)).toEqual([a, c]);
  expect([costOf(all), costOf(two)]).toEqual([3, 2]);
  expect(findObstacle(two)).toBeUndefined();
  const one = after([{ type: "pictures-removed", ids: [a] }], two);
  expect(picturesToSend(one).map(({ id }) => id)).toEqual([c]);
  const rest = after([{ type: "pictures-removed", ids: [c] }], one);
  expect(chosenPictures(rest).map(({ id }) => id)).toEqual([b]);
  expect(rest.selection.size).toBe(0);
});

test("results become the pictures, and those that no run was about stay; a removal that is undone is selected as before", () => {
  const all = after([added("a"), added("b"), added("c"), quality("75")]);
  const two = after([{ type: "selection-changed", ids: new Set([a, c]) }], all);
  const back = after([{ type: "pictures-removed", ids: [a] }, { type: "removal-undone" }], two);
  expect([...back.selection].sort()).toEqual([a, c].sort());
  const run = after(
    [heard({ type: "file", file: jobFile(0, { state: "done" }) }), arrived("a"), { type: "followed", batch: 1 }],
    accepted(["a"], all),
  );
  const adopted = after([{ type: "results-adopted" }], run);
  expect(adopted.pictures).toHaveLength(3);
  expect(adopted.selection.size).toBe(0);
});

test("options are set for all selected pictures at once, and taken back at once", () => {
  const all = after([added("a"), added("b"), added("c"), quality("75")]);
  const customOptions = { type: "custom-options-set", tool: "compress" } as const;
  const some = after([{ ...customOptions, ids: [a, c], settings: { quality: "40" } }], all);
  expect(some.pictures.map((picture) => picture.customOptions?.compress?.["quality"])).toEqual(["40", undefined, "40"]);
  const none = after([{ ...customOptions, ids: [a, c], settings: undefined }], some);
  expect(none.pictures.every(({ customOptions }) => customOptions === undefined)).toBe(true);
});
