// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Matte } from "../../state/picture.ts";
import type { FindEdges } from "./edge-finder.ts";
import type { Brush, Patch } from "./matte.ts";
import { useStrokes } from "./use-strokes.ts";

afterEach(cleanup);

const brush: Brush = { kind: "restore", sizePx: 4, hardness: 1, isSmart: true };
const plain: Brush = { ...brush, isSmart: false };

type Asked = Parameters<FindEdges>[0] & { answer(found: Patch | undefined): Promise<void>; fail(): Promise<void> };

/** Strokes on a blank matte of 40 x 30, with a worker that the test answers for. */
function strokesOn(matte: Matte = { width: 40, height: 30, values: new Uint8Array(1200) }) {
  const asked: Asked[] = [];
  const findEdges: FindEdges = (stroke) =>
    new Promise((resolve, reject) => {
      asked.push({
        ...stroke,
        answer: (found) => act(async () => resolve(found)),
        fail: () => act(async () => reject(new Error("the worker ended"))),
      });
    });
  const { result, unmount } = renderHook(() => useStrokes(matte, { findEdges, onChange: () => undefined }));
  const dab = (x: number, y: number, by: Brush = brush) =>
    act(() => {
      result.current.begin({ x, y }, by);
      result.current.end();
    });
  const at = (x: number, y: number) => matte.values[y * matte.width + x];
  const ask = (index: number) => asked[index] as Asked;
  return { matte, strokes: () => result.current, dab, at, ask, asked, unmount };
}

/** An opaque square of 9 px around a spot. */
const square = (x: number, y: number): Patch => ({
  left: x - 4,
  top: y - 4,
  width: 9,
  height: 9,
  values: new Uint8Array(81).fill(255),
});

test("a smart stroke is drawn as painted, then as its edges say; undo and redo take it whole", async () => {
  const { matte, strokes, dab, at, ask } = strokesOn();
  dab(10, 10);
  expect(strokes().isFindingEdges).toBe(true);
  expect([at(10, 10), at(6, 6)]).toEqual([255, 0]);
  expect(ask(0).kind).toBe("restore");
  expect(ask(0).segments).toEqual([{ from: { x: 10, y: 10 }, to: { x: 10, y: 10 }, radiusPx: 2 }]);
  expect(ask(0).before.values.every((value) => value === 0)).toBe(true); // as it was before the stroke
  await ask(0).answer(square(10, 10));
  expect(strokes().isFindingEdges).toBe(false);
  expect([at(10, 10), at(6, 6)]).toEqual([255, 255]);
  act(() => strokes().undo());
  expect(matte.values.every((value) => value === 0)).toBe(true);
  act(() => strokes().redo());
  expect([at(10, 10), at(6, 6)]).toEqual([255, 255]);
});

test("quick strokes are looked at one after the other, each upon the result of those before it", async () => {
  const { strokes, dab, at, ask, asked } = strokesOn();
  dab(10, 10);
  dab(20, 10);
  dab(30, 10, plain);
  act(() => strokes().begin({ x: 20, y: 22 }, brush)); // an unfinished stroke
  expect(asked).toHaveLength(1);
  await ask(0).answer(square(10, 10));
  expect(asked).toHaveLength(2);
  expect(ask(1).before.values[6 * 40 + 6]).toBe(255);
  expect(ask(1).before.values[10 * 40 + 20]).toBe(0);
  expect([at(6, 6), at(20, 10), at(30, 10), at(20, 22)]).toEqual([255, 255, 255, 255]);
  await ask(1).answer(square(20, 10));
  expect([at(16, 6), at(30, 10), at(20, 22)]).toEqual([255, 255, 255]);
  act(() => strokes().drop());
  expect([at(16, 6), at(30, 10), at(20, 22)]).toEqual([255, 255, 0]);
  for (const gone of [at(30, 10), at(20, 10), at(10, 10)]) {
    expect(gone).toBe(255);
    act(() => strokes().undo());
  }
  expect([at(30, 10), at(20, 10), at(10, 10), at(6, 6), at(16, 6)]).toEqual([0, 0, 0, 0, 0]);
  expect(strokes().canUndo).toBe(false);
});

test("a stroke that is undone while its edges are looked for stays undone, and is looked at when it is done again", async () => {
  const { matte, strokes, dab, at, ask, asked } = strokesOn();
  dab(10, 10);
  dab(20, 10);
  act(() => strokes().undo());
  await ask(0).answer(square(10, 10));
  expect([at(6, 6), at(20, 10)]).toEqual([255, 0]);
  act(() => strokes().redo());
  expect([at(6, 6), at(20, 10)]).toEqual([255, 255]);
  act(() => strokes().undo());
  await ask(1).answer(square(20, 10));
  expect([at(6, 6), at(16, 6)]).toEqual([255, 0]);
  act(() => strokes().redo());
  expect(asked).toHaveLength(3);
  await ask(2).answer(square(20, 10));
  expect(at(16, 6)).toBe(255);
  act(() => strokes().undo());
  act(() => strokes().undo());
  expect(matte.values.every((value) => value === 0)).toBe(true);
});

test("where the edges cannot be found the stroke stays as painted, and those behind it go on", async () => {
  const { strokes, dab, at, ask } = strokesOn();
  dab(10, 10);
  dab(20, 10);
  let isSettled = false;
  const settled = strokes()
    .settled()
    .then(() => {
      isSettled = true;
    });
  await ask(0).fail();
  expect(strokes().hasFailed).toBe(true);
  expect([at(10, 10), at(6, 6), isSettled]).toEqual([255, 0, false]);
  await ask(1).answer(undefined); // too thin to follow edges
  await settled;
  expect([at(20, 10), at(16, 6), strokes().isFindingEdges]).toEqual([255, 0, false]);
  dab(30, 10);
  expect(strokes().hasFailed).toBe(false);
});

test("strokes that are being applied get their edges though the editor is gone", async () => {
  const { strokes, dab, at, ask, asked, unmount } = strokesOn();
  dab(10, 10);
  dab(20, 10);
  const settled = strokes().settled();
  unmount();
  await ask(0).answer(square(10, 10));
  expect(asked).toHaveLength(2);
  await ask(1).answer(square(20, 10));
  await settled;
  expect([at(6, 6), at(16, 6)]).toEqual([255, 255]);
});

test("while a stroke is under way nothing is undone or done again", async () => {
  const { strokes, dab, at, ask } = strokesOn();
  dab(10, 10);
  await ask(0).answer(square(10, 10));
  dab(20, 10, plain);
  act(() => strokes().undo());
  act(() => strokes().begin({ x: 30, y: 10 }, plain));
  act(() => strokes().undo());
  act(() => strokes().redo());
  expect([at(6, 6), at(20, 10), at(30, 10)]).toEqual([255, 0, 255]);
  act(() => strokes().drop());
  act(() => strokes().redo());
  expect([at(6, 6), at(20, 10), at(30, 10)]).toEqual([255, 255, 0]);
});

test("a stroke that is done again is painted upon what changed below it meanwhile", async () => {
  const { matte, strokes, dab, at, ask } = strokesOn();
  dab(10, 10);
  dab(13, 10, plain);
  act(() => strokes().undo());
  await ask(0).answer(square(10, 10));
  act(() => strokes().redo());
  expect([at(6, 6), at(13, 10), at(14, 10), at(14, 6)]).toEqual([255, 255, 255, 255]);
  act(() => strokes().undo());
  expect([at(13, 10), at(14, 6)]).toEqual([255, 255]); // from the found square
  act(() => strokes().undo());
  expect(matte.values.every((value) => value === 0)).toBe(true);
});

test("the history forgets no stroke whose edges are still looked for", async () => {
  const { matte, strokes, dab, at, ask } = strokesOn({ width: 400, height: 30, values: new Uint8Array(12_000) });
  for (let i = 0; i < 45; i += 1) dab(10 + 8 * i, 10, i === 0 ? brush : plain);
  await ask(0).answer(square(10, 10));
  expect(at(6, 6)).toBe(255);
  let count = 0;
  for (; strokes().canUndo; count += 1) act(() => strokes().undo());
  expect(count).toBe(40);
  expect([at(6, 6), at(10 + 8 * 4, 10), at(10 + 8 * 5, 10)]).toEqual([255, 255, 0]);
  expect(matte.values.subarray(0, 400 * 6).every((value) => value === 0)).toBe(true);
});

test("a failed search is told of only while its stroke is there, and an undone stroke is looked at again", async () => {
  const { strokes, dab, at, ask, asked } = strokesOn();
  dab(10, 10);
  act(() => strokes().undo());
  await ask(0).fail();
  expect(strokes().hasFailed).toBe(false);
  act(() => strokes().redo());
  expect(asked).toHaveLength(2);
  await ask(1).fail();
  expect([strokes().hasFailed, at(10, 10)]).toEqual([true, 255]);
  act(() => strokes().undo());
  expect(strokes().hasFailed).toBe(false);
});

test("without Smart edges nothing is looked for", () => {
  const { strokes, dab, asked } = strokesOn();
  dab(10, 10, plain);
  expect([asked.length, strokes().isFindingEdges, strokes().canUndo]).toEqual([0, false, true]);
});
