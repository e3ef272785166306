import type { Channels } from "@tintype/codecs/raster";
import { expect, test } from "vitest";
import { draw } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { avifEncoding } from "./write.ts";

const size = { width: 480, height: 320 };

const chat = (channels: Channels) =>
  draw(size, channels, (x, y) => {
    const line = y % 80;
    const isLetter = x > 180 && x < 300 && line > 12 && line < 32 && (x * 7 + (line >> 2) * 5) % 11 < 4;
    const isBubble = x > 160 && line < 44;
    return [...(isLetter ? [255, 255, 255] : isBubble ? [90, 150, 220] : [24, 24, 26]), 255].slice(0, channels);
  });
const plan = draw(size, 3, (x, y) => (x % 40 < 2 || y % 40 < 2 ? [60, 70, 60] : [250, 250, 250]));

test("a drawing has its colour in full where that costs fewer bytes at the same likeness", async () => {
  for (const channels of [3, 4] as const)
    expect(await avifEncoding(asDecodedPicture(chat(channels)), 60)).toBe("avif-444");
  expect(await avifEncoding(asDecodedPicture(plan), 60)).toBe("avif-420");
});
