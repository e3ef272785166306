import { expect, test } from "vitest";
import { added, after, idOf, quality } from "../testing/pictures.ts";
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
  expect([...selectionAfter({ ...selecting, anchor: undefined }, { id: d, change: "range" })]).toEqual([d]);
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

test("options are set for all selected pictures at once, and taken back at once", () => {
  const all = after([added("a"), added("b"), added("c"), quality("75")]);
  const own = { type: "own-options-set", tool: "compress" } as const;
  const some = after([{ ...own, ids: [a, c], settings: { quality: "40" } }], all);
  expect(some.pictures.map((picture) => picture.own?.compress?.["quality"])).toEqual(["40", undefined, "40"]);
  const none = after([{ ...own, ids: [a, c], settings: undefined }], some);
  expect(none.pictures.every(({ own: mine }) => mine === undefined)).toBe(true);
});
