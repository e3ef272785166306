import { expect, test } from "vitest";
import { looksLikeImage } from "./looks-like-image.ts";

const file = (name: string, type: string, content: BlobPart) => new File([content], name, { type });

test.each([
  ["by its type", file("x", "image/png", "a")],
  ["by its name", file("x.HEIC", "", "a")],
  ["by its first bytes", file("x", "", new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))],
  ["as a PNG by its first bytes", file("x", "", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["as a HEIC by its brand", file("x", "", "\0\0\0\x18ftypheic")],
  ["as an SVG by its tag", file("x", "", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">')],
])("a picture is known %s", async (_, picture) => {
  expect(await looksLikeImage(picture)).toBe(true);
});

test.each([
  ["notes", file("notes.txt", "text/plain", "GIF89a")],
  ["an archive without a type", file("x", "", "PK\x03\x04")],
  ["an empty file", file("x.png", "image/png", "")],
])("%s is kept out", async (_, other) => {
  expect(await looksLikeImage(other)).toBe(false);
});
