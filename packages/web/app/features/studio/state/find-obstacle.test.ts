import { limits, type OperationName, text } from "@tintype/contract";
import { expect, test } from "vitest";
import { added, after, idOf, picture, quality } from "../testing/pictures.ts";
import { findObstacle } from "./find-obstacle.ts";
import type { Frame } from "./frame.ts";
import type { StudioEvent } from "./studio-event.ts";
import { picturesToSend } from "./to-send.ts";

const tool = (name: OperationName): StudioEvent => ({ type: "tool-chosen", tool: name });
const guest: StudioEvent = {
  type: "allowance-known",
  allowance: { tier: "guest", usage: { used: 0, limit: 5 }, limits: limits.guest },
};
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

const hobby: StudioEvent = {
  type: "allowance-known",
  allowance: { tier: "hobby", usage: { used: 0, limit: 100 }, limits: limits.hobby },
};
const sized = (name: string, more: Parameters<typeof picture>[1]): StudioEvent => ({
  type: "pictures-added",
  refusals: [],
  pictures: [picture(name, more)],
});
const six = { sides: { widthPx: 3000, heightPx: 2000 } };

test("a picture over the limits is told before anything is sent, with the next step", () => {
  expect(findObstacle(after([guest, sized("a", { sizeBytes: 24e6 }), quality("75")]))).toEqual({
    field: "pictures",
    sentence: "Without an account, an image can be up to 10 MB; a is 24.0 MB.",
    remedies: [{ kind: "sign-up", label: "Sign up for 25 MB" }],
  });
  expect(findObstacle(after([hobby, sized("a", { sizeBytes: 34e6 }), quality("75")]))?.remedies).toEqual([
    { kind: "link", to: "/pricing", label: "Mini: 50 MB" },
  ]);
  expect(findObstacle(after([hobby, sized("a", { sizeBytes: 340e6 }), quality("75")]))?.remedies).toEqual([]);
  expect(findObstacle(after([guest, sized("a", six), tool("upscale")]))).toEqual({
    field: "pictures",
    sentence: "Without an account, a result can be up to 25 megapixels; a would be 96.",
    remedies: [
      { kind: "factor", factor: 2 },
      { kind: "link", to: "/pricing", label: "Mini: 100 megapixels" },
    ],
  });
  expect(sentence(guest, sized("a", six), tool("remove-background"))).toBeUndefined();
});

test("what is enlarged is the picture as it is cropped", () => {
  const framed = (frame: Frame) => sentence(guest, sized("a", { ...six, frame }), tool("upscale"));
  expect(framed({ crop: { left: 0, top: 0, width: 1000, height: 1000 } })).toBeUndefined();
  expect(framed({ crop: { ratio: "1:1" } })).toMatch(/a would be 64[.]$/);
});

test("a picture that cannot go stops no batch: it stays behind", () => {
  const state = after([guest, sized("large", { sizeBytes: 24e6 }), added("a", "b"), quality("75")]);
  expect(findObstacle(state)).toBeUndefined();
  expect(picturesToSend(state).map(({ name }) => name)).toEqual(["a", "b"]);
  const broken: StudioEvent = { type: "picture-judged", id: idOf("a"), fault: "a: This picture is damaged." };
  expect(picturesToSend(after([broken], state)).map(({ name }) => name)).toEqual(["b"]);
});

test("a person's batch of too many files can go on with the first of them; a guest's is the page's to meet", () => {
  const names = Array.from({ length: 21 }, (_, index) => `p${index}`);
  expect(findObstacle(after([hobby, added(...names), quality("75")]))).toMatchObject({
    sentence: "On the Hobby plan, a batch can have up to 20 images; this one has 21.",
    remedies: [{ kind: "send", count: 20 }, { kind: "link" }],
  });
  expect(sentence(guest, added(...names), quality("75"))).toBeUndefined();
});

test("without known limits nothing is held back: the server decides", () => {
  const large: StudioEvent = { type: "pictures-added", pictures: [picture("a", { sizeBytes: 34e6 })], refusals: [] };
  expect(sentence(large, quality("75"))).toBeUndefined();
});

test("a batch found again has no originals to send", () => {
  const gone: StudioEvent = { type: "pictures-added", pictures: [picture("a", { file: undefined })], refusals: [] };
  expect(sentence(gone, quality("75"))).toMatch(/add them again/);
});
