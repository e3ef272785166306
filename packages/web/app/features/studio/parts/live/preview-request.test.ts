// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { Picture } from "../../state/picture.ts";
import { initialState, type StudioState } from "../../state/studio-state.ts";
import { after, picture } from "../../testing/pictures.ts";
import { automaticPreview, hasParts } from "./preview-request.ts";

const shown = { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } as const;

function automatic(tool: "compress" | "convert" | "resize", patch: object, more: Partial<Picture> = {}) {
  const state: StudioState = after(
    [
      { type: "tool-chosen", tool },
      { type: "setting-changed", tool, patch },
    ],
    initialState,
  );
  return automaticPreview(state, picture("a.png", { preview: shown, ...more }));
}

test("a preview comes by itself once the options are complete", () => {
  expect(automatic("compress", { quality: "60" })).toBe("shown");
  expect(automatic("compress", { quality: "" })).toBe("incomplete");
  expect(automatic("convert", { target_format: "webp" })).toBe("shown");
  expect(automatic("resize", { width: "200" })).toBe("shown");
});

test.each<[string, ...Parameters<typeof automatic>]>([
  ["an icon", "convert", { target_format: "ico" }],
  ["the format that it has", "convert", { target_format: "jpeg" }, { format: "jpeg" }],
  ["a JPEG XL that stays one", "compress", { quality: "60" }, { format: "jxl" }],
  ["a JPEG 2000 that stays one", "compress", { quality: "60" }, { format: "jp2" }],
  ["a PDF that stays one", "compress", { quality: "60" }, { format: "pdf" }],
  ["a PSD that stays one", "compress", { quality: "60" }, { format: "psd" }],
  ["an icon that stays one", "compress", { quality: "60" }, { format: "ico" }],
  ["one enlarged above 50 megapixels", "resize", { width: "9000", height: "9000", method: "stretch" }],
  ["one above 50 megapixels", "compress", { quality: "60" }, { sides: { widthPx: 9000, heightPx: 9000 } }],
  ["one that the server has refused", "compress", { quality: "60" }, { fault: "Damaged." }],
])("no automatic preview is requested that would be refused: %s", (_, ...asked) => {
  expect(automatic(...asked)).toBe("hidden");
});

test("a conversion into the same format is shown where something changes", () => {
  expect(automatic("convert", { target_format: "jpeg", quality: "60" }, { format: "jpeg" })).toBe("shown");
  expect(automatic("convert", { target_format: "jpeg" }, { format: "jpeg", frame: { degrees: 90 } })).toBe("shown");
});

test("an animation has no part that could be shown, in whatever format", () => {
  expect(hasParts(picture("a.webp", { format: "webp" }))).toBe(true);
  expect(hasParts(picture("a.webp", { format: "webp", isAnimated: true }))).toBe(false);
});
