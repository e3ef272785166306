// @vitest-environment jsdom
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Frame } from "../../state/frame.ts";
import { orderOf } from "../../state/order.ts";
import { initialState } from "../../state/studio-state.ts";
import { after, picture } from "../../testing/pictures.ts";
import { useFramedUrl } from "./framed-url.ts";
import "../../../../ui/testing/patience.ts";

// jsdom draws nothing, so count the calls to the canvas.
let drawn = 0;
beforeEach(() => {
  drawn = 0;
  Object.assign(HTMLImageElement.prototype, { decode: async () => undefined });
  const nothing = () => undefined;
  const context = { translate: nothing, rotate: nothing, scale: nothing, drawImage: nothing };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never); // only these methods are called
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((give) => {
    drawn += 1;
    give(new Blob([String(drawn)]));
  });
  Object.assign(URL, { createObjectURL: () => `blob:${drawn}`, revokeObjectURL: nothing });
});
afterEach(() => vi.restoreAllMocks());

const shown = picture("a.png", { preview: { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } });

test("a picture whose part was moved is drawn once, however often it is rendered", async () => {
  const state = after(
    [
      { type: "tool-chosen", tool: "resize" },
      { type: "setting-changed", tool: "resize", patch: { width: "100", height: "100" } },
    ],
    initialState,
  );
  const moved = { ...shown, frame: { fillAt: { x: 0, y: 0.5 } } };
  const { result, rerender } = renderHook(() => useFramedUrl(moved, orderOf(state, moved).frame));
  await waitFor(() => expect(result.current).toBe("blob:1"));
  for (let i = 0; i < 3; i++) rerender();
  await new Promise((done) => setTimeout(done));
  expect([result.current, drawn]).toEqual(["blob:1", 1]);
});

test("another frame or another size is drawn anew, and the last one is not shown for it", async () => {
  const { result, rerender } = renderHook(({ frame, maxPx }) => useFramedUrl(shown, frame, { maxPx }), {
    initialProps: { frame: { degrees: 90 } as Frame, maxPx: 100 },
  });
  await waitFor(() => expect(result.current).toBe("blob:1"));
  rerender({ frame: { degrees: 90 }, maxPx: 200 });
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toBe("blob:2"));
  rerender({ frame: { degrees: 180 }, maxPx: 200 });
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toBe("blob:3"));
});
