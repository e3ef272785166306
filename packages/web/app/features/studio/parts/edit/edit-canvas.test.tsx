// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EditCanvas } from "./edit-canvas.tsx";
import type { Brush } from "./matte.ts";
import type { Strokes } from "./use-strokes.ts";

// jsdom has no layout.
beforeEach(() =>
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  ),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const brush: Brush = { kind: "erase", sizePx: 10, hardness: 1, isSmart: true };

/** Records what the keys do, in order. The spots of a line are given by their x. */
function keysOn() {
  const done: string[] = [];
  const strokes = {
    begin: ({ x }) => done.push(`begin ${x}`),
    extend: ({ x }) => done.push(`extend ${x}`),
    end: () => done.push("end"),
  } satisfies Partial<Strokes>;
  const matte = { width: 200, height: 100, values: new Uint8Array(20_000) };
  render(
    <EditCanvas
      open={{ matte, cutOut: {} as ImageBitmap, original: undefined }} // never drawn, since nothing has a size
      edit={{} as never}
      backdrop={undefined}
      brush={brush}
      strokes={strokes as unknown as Strokes}
      zoom={1}
      onZoom={() => undefined}
      version={0}
      name="Cut-out"
    />,
  );
  return { done, area: screen.getByRole("application") };
}

test("a held arrow key with Shift paints one stroke, which ends as a key is let go", () => {
  const { done, area } = keysOn();
  const right = { key: "ArrowRight", shiftKey: true };
  for (let repeat = 0; repeat < 3; repeat += 1) fireEvent.keyDown(area, right);
  expect(done).toEqual(["begin 100", "extend 105", "extend 110", "extend 115"]);
  fireEvent.keyUp(area, right);
  expect(done.at(-1)).toBe("end");
  fireEvent.keyDown(area, right);
  fireEvent.keyUp(area, { key: "Shift" });
  fireEvent.keyUp(area, { key: "ArrowRight" });
  expect(done.slice(5)).toEqual(["begin 115", "extend 120", "end"]);
});

test("a line goes on from its end where the mouse moves meanwhile, and none begins while the pointer paints", () => {
  const { done, area } = keysOn();
  const right = { key: "ArrowRight", shiftKey: true };
  const canvas = area.querySelector("canvas") as HTMLCanvasElement;
  fireEvent.keyDown(area, right);
  fireEvent.pointerMove(canvas, { clientX: 7, clientY: 7 });
  fireEvent.keyDown(area, right);
  expect(done).toEqual(["begin 100", "extend 105", "extend 110"]);
  fireEvent.keyUp(area, right);
  canvas.setPointerCapture = () => undefined;
  fireEvent.pointerDown(canvas);
  const painted = done.length;
  fireEvent.keyDown(area, right);
  expect(done).toHaveLength(painted);
});

test("a line that is painted by the keys ends before another stroke begins, and as the focus goes", () => {
  const { done, area } = keysOn();
  fireEvent.keyDown(area, { key: "ArrowRight", shiftKey: true });
  fireEvent.keyDown(area, { key: " ", shiftKey: true });
  expect(done).toEqual(["begin 100", "extend 105", "end", "begin 105", "end"]);
  fireEvent.keyDown(area, { key: "ArrowLeft", shiftKey: true });
  fireEvent.blur(area);
  expect(done.slice(5)).toEqual(["begin 105", "extend 100", "end"]);
});
