import { expect, test } from "vitest";
import {
  accepted,
  added,
  after,
  arrived,
  finished,
  heard,
  idOf,
  job,
  jobFile,
  outcomes,
  picture,
  quality,
  sending,
} from "../testing/pictures.ts";
import { findObstacle } from "./find-obstacle.ts";
import { cropBoxOf, type Frame } from "./frame.ts";
import { hasCustomOptions, isSameOrder, orderOf, ordersOf, partsOf, sentSteps, settingsOf } from "./order.ts";
import { fillRatio, resizedSides } from "./resized-sides.ts";
import type { Settings } from "./settings.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";
import { isStale, picturesToSend } from "./to-send.ts";

const customOptions = (name: string, settings: Settings["compress"] | undefined): StudioEvent => ({
  type: "custom-options-set",
  ids: [idOf(name)],
  tool: "compress",
  settings,
});
const framed = (name: string, frame: Frame | undefined): StudioEvent => ({
  type: "frame-changed",
  id: idOf(name),
  frame,
});
const named = ({ pictures }: StudioState, name: string) => pictures.find(({ id }) => id === name) ?? picture("none");
const partsIn = (state: StudioState) => partsOf(ordersOf(state, state.pictures));

test("pictures go in one part for each set of options, and equal options are one part", () => {
  const state = after([
    added("a", "b", "c", "d"),
    quality("75"),
    customOptions("b", { quality: "90" }),
    customOptions("d", { quality: "90" }),
  ]);
  expect(partsIn(state).map(({ ids }) => ids)).toEqual([
    ["a", "c"],
    ["b", "d"],
  ]);
  expect(partsIn(state).map(({ order }) => order.steps)).toEqual([
    [{ compress: { quality: 75 } }],
    [{ compress: { quality: 90 } }],
  ]);
  expect(partsIn(after([customOptions("b", { quality: "75" }), customOptions("d", undefined)], state))).toHaveLength(1);
});

test("two background pictures of one name are two parts", () => {
  const ground = (): Settings["remove-background"] => ({ ground: "picture", picture: new File(["x"], "sky.png") });
  const state = after([
    added("a", "b"),
    { type: "tool-chosen", tool: "remove-background" },
    { type: "setting-changed", tool: "remove-background", patch: ground() },
    { type: "custom-options-set", ids: [idOf("b")], tool: "remove-background", settings: ground() },
  ]);
  expect(partsIn(state)).toHaveLength(2);
});

test("custom options are one tool's and outlive a change of the form", () => {
  const state = after([added("a", "b"), quality("75"), customOptions("b", { quality: "90" }), quality("40")]);
  expect(settingsOf(state, named(state, "b"))).toEqual({ quality: "90" });
  expect(settingsOf(state, named(state, "a"))).toEqual({ quality: "40" });
  expect(hasCustomOptions(named(state, "b"), "upscale")).toBe(false);
  const reset = after([customOptions("b", undefined)], state);
  expect(hasCustomOptions(named(reset, "b"), "compress")).toBe(false);
});

test("a wrong option of one picture stops the submit, by the picture's name", () => {
  const state = after([added("a", "b"), quality("75"), customOptions("b", { quality: "900" })]);
  expect(findObstacle(state)?.sentence).toBe("b: Please enter a valid quality between 1 and 100.");
});

test("a crop in pixels is one picture's own: another picture, added before or after, is sent whole", () => {
  const crop = { left: 0, top: 0, width: 400, height: 200 };
  const state = after([added("a"), quality("75"), framed("a", { crop }), added("b")]);
  const sent = (name: string) => sentSteps(orderOf(state, named(state, name)));
  expect(sent("a")).toEqual([{ crop }, { compress: { quality: 75 } }]);
  expect(sent("b")).toEqual([{ compress: { quality: 75 } }]);
  expect(partsIn(state)).toHaveLength(2);
});

test("a picture that is removed takes its steps with it, and brings them back", () => {
  const state = after([added("a", "b"), framed("a", { degrees: 90 }), customOptions("a", { quality: "20" })]);
  const removed = after([{ type: "pictures-removed", ids: [idOf("a")] }, added("c")], state);
  expect(removed.pictures.map(({ frame, customOptions }) => [frame, customOptions])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const back = after([{ type: "removal-undone" }], removed);
  expect(named(back, "a")).toMatchObject({ frame: { degrees: 90 }, customOptions: { compress: { quality: "20" } } });
});

test("applied to all, a crop keeps its ratio and its place in shares of each picture, and lies within it", () => {
  const large = picture("large", { sides: { widthPx: 1600, heightPx: 900 } });
  const tall = picture("tall", { sides: { widthPx: 300, heightPx: 1000 } });
  const crop = { left: 0, top: 75, width: 200, height: 150 }; // of 400 x 300: half of the largest 4:3 box
  const state = after([
    added("a"),
    { type: "pictures-added", pictures: [large, tall], refusals: [] },
    framed("a", { flip: "horizontal", crop }),
    { type: "frame-copied", id: idOf("a") },
  ]);
  expect(named(state, "large").frame).toEqual({
    flip: "horizontal",
    crop: { left: 100, top: 225, width: 600, height: 450 },
  });
  for (const { sides, frame } of state.pictures) {
    const box = cropBoxOf(sides ?? { widthPx: 0, heightPx: 0 }, frame ?? {});
    expect(box).toEqual(frame?.crop);
    expect(box.width / box.height).toBeCloseTo(4 / 3, 1);
  }
});

test("a shape and a turn hold for all as they are, and go as one job", () => {
  const frame: Frame = { degrees: 90, crop: { ratio: "1:1" } };
  const state = after([added("a", "b"), quality("75"), framed("a", frame), { type: "frame-copied", id: idOf("a") }]);
  expect(named(state, "b").frame).toEqual(frame);
  expect(partsIn(state)).toHaveLength(1);
});

test("a picture behind the subject cannot go together with a crop", () => {
  const patch = { ground: "picture", picture: new File(["x"], "sky.png") } as const;
  const state = after([
    added("a"),
    { type: "tool-chosen", tool: "remove-background" },
    { type: "setting-changed", tool: "remove-background", patch },
  ]);
  expect(findObstacle(state)).toBeUndefined();
  expect(findObstacle(after([framed("a", { degrees: 180 })], state))?.sentence).toMatch(/Remove the background first/);
});

test("a batch of two jobs counts and ends as one: files, credits, place in line", () => {
  const credits = (charged: number, remaining: number) => ({ charged, remaining, limit: 100 });
  const before = after([added("a", "b"), quality("75"), customOptions("b", { quality: "90" })]);
  const progressed = (sentBytes: number) =>
    ({ type: "upload-progressed", batch: 1, sentBytes, totalBytes: 1000 }) as const;
  const taken = (jobId: string) => ({ type: "part-accepted", batch: 1, jobId, idempotencyKey: jobId }) as const;
  let state = after([progressed(1000), taken("one")], sending(["a", "b"], before));
  expect(state.run).toMatchObject({ phase: "sending", sentBytes: 1000, totalBytes: 2000 });
  state = after([progressed(500)], state);
  expect(state.run).toMatchObject({ sentBytes: 1500, totalBytes: 2000 });
  state = after([taken("two")], state);
  expect(outcomes(state)).toEqual(["waiting", "waiting"]);
  const snapshot = (jobId: string, position: number, told = credits(1, 50)): StudioEvent =>
    heard(
      { type: "snapshot", job: job([jobFile(0)], { id: jobId, state: "queued", position, credits: told }) },
      { jobId },
    );
  state = after([snapshot("one", 4), snapshot("two", 2, credits(1, 49))], state);
  expect(state.run).toMatchObject({ phase: "working", position: 2 });
  const done = (jobId: string, name: string): StudioEvent[] => [
    heard({ type: "file", file: jobFile(0, { state: "done", progress: 1 }) }, { jobId }),
    heard({ type: "job", state: "done" }, { jobId }),
    arrived(name),
  ];
  state = after(done("two", "b"), state);
  expect(state.run?.phase).toBe("working");
  expect(outcomes(state)).toEqual(["waiting", "done"]);
  state = after([...done("one", "a"), { type: "followed", batch: 1 }], state);
  expect(state.run).toMatchObject({ phase: "ended", charged: 2 });
  expect(state.credits).toEqual(credits(2, 49));
  expect(isStale(state)).toBe(false);
  const changed = after([customOptions("b", { quality: "80" })], state);
  expect(isStale(changed)).toBe(true);
  expect(picturesToSend(changed).map(({ name }) => name)).toEqual(["b"]);
});

const toResize: StudioEvent = { type: "tool-chosen", tool: "resize" };

test("after a result the next tool works on it, and the tool before brings back what was there", () => {
  const done = finished(["a"], ["b"]);
  const next = after([toResize], done);
  expect(next.pictures.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
    ["a.png", 400],
    ["b", 1000],
  ]);
  expect(next).toMatchObject({ run: undefined, earlierRuns: [{ tool: "compress" }] });
  const back = after([{ type: "tool-chosen", tool: "compress" }], next);
  expect(back.pictures).toEqual(done.pictures);
  expect(back).toMatchObject({ run: done.run, earlierRuns: [] });
});

test("the originals can be used instead, also after a second tool", () => {
  const resized = after(
    [
      heard({ type: "snapshot", job: job([jobFile(0, { state: "done" })], { state: "done" }) }, { batch: 2 }),
      arrived("a", { batch: 2, sizeBytes: 200 }),
      { type: "followed", batch: 2 },
    ],
    accepted(["a"], after([toResize], finished(["a"]))),
  );
  const third = after([{ type: "tool-chosen", tool: "convert" }], resized);
  expect(third.pictures[0]).toMatchObject({ sizeBytes: 200 });
  expect(third.earlierRuns.map(({ tool }) => tool)).toEqual(["compress", "resize"]);
  const first = after([{ type: "originals-chosen" }], third);
  expect(first.pictures[0]).toMatchObject({ name: "a", sizeBytes: 1000 });
  expect(first).toMatchObject({ tool: "convert", earlierRuns: [] });
  expect(picturesToSend(first)).toHaveLength(1);
});

test("a crop was done by the first tool: the next one works on the result as it is", () => {
  const before = after([added("a"), quality("75"), framed("a", { degrees: 90 })]);
  const done = after(
    [
      heard({ type: "snapshot", job: job([jobFile(0, { state: "done" })], { state: "done" }) }),
      arrived("a"),
      { type: "followed", batch: 1 },
    ],
    accepted(["a"], before),
  );
  expect(after([toResize], done).pictures[0]?.frame).toBeUndefined();
});

// product: small-stay-small
test("a resize of pictures of several sizes does not enlarge the small ones, unless the person says so or has a result already", () => {
  const small = picture("small", { sides: { widthPx: 40, heightPx: 30 } });
  const add: StudioEvent = { type: "pictures-added", pictures: [small], refusals: [] };
  const stepsOf = (state: StudioState) => ordersOf(state, state.pictures).get(idOf("small"))?.steps;
  const wide = { type: "setting-changed", tool: "resize", patch: { width: "200" } } as const;
  const alike = after([added("a", "b"), toResize, wide]);
  expect(alike.steps).toEqual([{ resize: { width: 200 } }]);
  const mixed = after([add], alike);
  expect(stepsOf(mixed)).toEqual([{ resize: { width: 200, enlarge: false } }]);
  // `fit` never enlarges by default, so the order and the price stay the same.
  const fit = { type: "setting-changed", tool: "resize", patch: { method: "fit" } } as const;
  expect(stepsOf(after([fit], mixed))).toEqual([{ resize: { width: 200, method: "fit" } }]);
  expect(after([{ type: "pictures-cleared" }], mixed).steps).toEqual([{ resize: { width: 200 } }]);

  const said = after([{ type: "setting-changed", tool: "resize", patch: { enlarge: "true" } }, added("c")], mixed);
  expect(stepsOf(said)).toEqual([{ resize: { width: 200 } }]);
  const done = after([add], finished(["a"]));
  expect(done.settings.resize.enlarge).toBeUndefined();
});

test.each([
  [{ width: "200" }, { widthPx: 40, heightPx: 30 }],
  [{ height: "15" }, { widthPx: 20, heightPx: 15 }],
  [
    { width: "200", height: "100", method: "fit" },
    { widthPx: 40, heightPx: 30 },
  ],
  [
    { width: "200", height: "100", method: "stretch" },
    { widthPx: 40, heightPx: 30 },
  ],
  [
    { width: "200", height: "100", method: "fill" },
    { widthPx: 40, heightPx: 20 },
  ],
  [
    { width: "20", height: "10", method: "fill" },
    { widthPx: 20, heightPx: 10 },
  ],
])("not enlarged, %o gives %o", (wanted, sides) => {
  expect(resizedSides({ widthPx: 40, heightPx: 30 }, { ...wanted, enlarge: "false" })).toEqual(sides);
});

test("on a canvas the result has the box, whatever the picture", () => {
  const box = { width: "200", height: "100", method: "fit", canvas: "#ffffff" };
  const sides = { widthPx: 40, heightPx: 30 };
  expect(resizedSides(sides, box)).toEqual({ widthPx: 200, heightPx: 100 });
  expect(resizedSides(sides, { ...box, method: "stretch" })).toEqual({ widthPx: 200, heightPx: 100 });
  expect(resizedSides(sides, { ...box, height: "" })).toEqual(sides);
});

test("what a recipe says to keep is kept: no crop is sent before it", () => {
  const box = { width: "100", height: "100" };
  expect(fillRatio(box)).toBe(1);
  expect(fillRatio({ ...box, gravity: "centre" })).toBe(1);
  expect(fillRatio({ ...box, gravity: "smart" })).toBeUndefined();
});

const square: Settings["resize"] = { width: "100", height: "100" };
const moved = (fillAt: Frame["fillAt"]): StudioState =>
  after([
    added("a"),
    { type: "custom-options-set", ids: [idOf("a")], tool: "resize", settings: square },
    framed("a", fillAt && { fillAt }),
  ]);
const stepsAt = (fillAt: Frame["fillAt"], sides = { widthPx: 400, heightPx: 300 }) => {
  const chosen = { ...moved(fillAt), tool: "resize", cursor: 0, steps: [{ resize: square }] } as StudioState;
  return sentSteps(orderOf(chosen, { ...named(chosen, "a"), sides }));
};

test("the part that a resize keeps is a crop before it once it was moved, and follows the size", () => {
  expect(stepsAt(undefined)).toHaveLength(1);
  expect(stepsAt({ x: 1, y: 0 })[0]).toEqual({ crop: { left: 100, top: 0, width: 300, height: 300 } });
  expect(stepsAt({ x: 0.25, y: 1 })[0]).toEqual({ crop: { left: 25, top: 0, width: 300, height: 300 } });
  // There is nothing to crop, or no target size.
  expect(stepsAt({ x: 1, y: 0 }, { widthPx: 300, heightPx: 300 })).toHaveLength(1);
  expect(sentSteps(orderOf(moved({ x: 1, y: 0 }), named(moved({ x: 1, y: 0 }), "a")))).toHaveLength(1);
});

test("only documents go with the page", () => {
  const before = after([
    { type: "pictures-added", pictures: [picture("a.png"), picture("b.pdf", { format: "pdf" })], refusals: [] },
    { type: "tool-chosen", tool: "convert" },
    { type: "setting-changed", tool: "convert", patch: { target_format: "png", page: "2" } },
  ]);
  const [png, pdf] = [named(before, "a.png"), named(before, "b.pdf")];
  expect(sentSteps(orderOf(before, png))).toEqual([{ convert: { target_format: "png" } }]);
  expect(sentSteps(orderOf(before, pdf))).toEqual([{ convert: { target_format: "png", page: 2 } }]);
  expect(partsIn(before)).toHaveLength(2);
  expect(isSameOrder(orderOf(before, png), orderOf(before, png))).toBe(true);
});

test("a change elsewhere makes no other order of an image beside a document, nor of one without", () => {
  const page: StudioEvent = { type: "setting-changed", tool: "convert", patch: { target_format: "png", page: "2" } };
  const before = after([
    { type: "pictures-added", pictures: [picture("a.png"), picture("b.pdf", { format: "pdf" })], refusals: [] },
    { type: "tool-chosen", tool: "convert" },
    page,
  ]);
  const otherPage = after([{ ...page, patch: { page: "3" } }], before);
  const isSame = (name: string, later: StudioState) =>
    isSameOrder(orderOf(before, named(before, name)), orderOf(later, named(later, name)));
  const drawn = after([{ type: "source-drawn", id: idOf("a.png"), preview: { kind: "none" } }], before);
  expect(["a.png", "b.pdf"].map((name) => isSame(name, drawn))).toEqual([true, true]);
  expect(isSame("b.pdf", otherPage)).toBe(false);
});
