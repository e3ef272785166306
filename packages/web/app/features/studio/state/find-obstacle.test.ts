import { limits, type OperationName, text } from "@tintype/contract";
import { expect, test } from "vitest";
import { added, after, picture } from "../testing/pictures.ts";
import { findObstacle } from "./find-obstacle.ts";
import type { StudioEvent } from "./studio-event.ts";

const tool = (name: OperationName): StudioEvent => ({ type: "tool-chosen", tool: name });
const guest: StudioEvent = {
  type: "allowance-known",
  allowance: { tier: "guest", usage: { used: 0, limit: 5 }, limits: limits.guest },
};
const quality = (value: string): StudioEvent => ({
  type: "setting-changed",
  tool: "compress",
  patch: { quality: value },
});
const sentence = (...events: StudioEvent[]) => findObstacle(after(events))?.sentence;

test.each([
  ["compress", "Please select at least one image to compress."],
  ["resize", "Please select at least one image to resize."],
  ["upscale", "Please select at least one image to upscale."],
  ["remove-background", "Please select at least one image to remove its background."],
  ["convert", "Please select at least one image to convert."],
] as const)("%s without a picture says so, whatever else is missing", (name, words) => {
  expect(sentence(tool(name))).toBe(words);
});

test.each(["", "0", "101", "7.5", "abc", "-3", "1e2"])("quality %j is not taken", (value) => {
  expect(sentence(added("a"), quality(value))).toBe("Please enter a valid quality between 1 and 100.");
});
test.each(["1", " 75 ", "100"])("quality %j is taken", (value) => {
  expect(sentence(added("a"), quality(value))).toBeUndefined();
});

test("convert needs a target, resize a side", () => {
  expect(sentence(added("a"), tool("convert"))).toBe("Please select a target format for conversion.");
  expect(sentence(added("a"), tool("resize"))).toBe(text.enterSide);
  const width = (value: string): StudioEvent => ({ type: "setting-changed", tool: "resize", patch: { width: value } });
  expect(sentence(added("a"), tool("resize"), width("16385"))).toBe(text.invalidSide("width"));
  expect(sentence(added("a"), tool("resize"), width("300"))).toBeUndefined();
});

test("a plan's limits are told before anything is sent: size, number, pixels in and out", () => {
  const large: StudioEvent = { type: "pictures-added", pictures: [picture("a", { sizeBytes: 34e6 })], refusals: [] };
  expect(sentence(guest, large, quality("75"))).toBe("Without an account a picture may have 10 MB; a has 34.0 MB.");
  expect(sentence(guest, added("a", "b", "c", "d", "e", "f"), quality("75"))).toBe(
    "Without an account a batch may have 5 pictures; this one has 6.",
  );
  const sides = { widthPx: 3000, heightPx: 2000 };
  const six: StudioEvent = {
    type: "pictures-added",
    pictures: [picture("a", { sides }), picture("b", { sides })],
    refusals: [],
  };
  expect(sentence(guest, six, tool("upscale"))).toBe(
    "Without an account a result may have 25 megapixels; a would have 96. 1 more picture also over the limit.",
  );
  expect(sentence(guest, six, tool("remove-background"))).toBeUndefined();
});

test("without known limits nothing is held back: the server decides", () => {
  const large: StudioEvent = { type: "pictures-added", pictures: [picture("a", { sizeBytes: 34e6 })], refusals: [] };
  expect(sentence(large, quality("75"))).toBeUndefined();
});

test("a batch found again has no originals to send", () => {
  const gone: StudioEvent = { type: "pictures-added", pictures: [picture("a", { file: undefined })], refusals: [] };
  expect(sentence(gone, quality("75"))).toMatch(/choose them again/);
});
