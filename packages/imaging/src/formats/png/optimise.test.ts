import sharp from "sharp";
import { expect, test } from "vitest";
import { drawScreen } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { pngChunks } from "./container.ts";
import { optimisePng, repackPng } from "./optimise.ts";

test("an interface is packed in fewer bytes than oxipng leaves, with the same pixels and chunks", async () => {
  const size = { width: 480, height: 360 };
  const { data } = drawScreen(size);
  const png = await sharp(data, { raw: { ...size, channels: 3 } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const optimised = await optimisePng(png, 2);
  const repacked = repackPng(optimised);
  expect(repacked.length).toBeLessThan(optimised.length);
  const pixelsOf = (bytes: Uint8Array) => sharp(bytes, { failOn: "warning" }).raw().toBuffer();
  expect((await pixelsOf(repacked)).equals(await pixelsOf(png))).toBe(true);
  const typesOf = (bytes: Uint8Array) => [...new Set([...pngChunks(bytes)].map(({ type }) => type))];
  expect(typesOf(repacked)).toEqual(typesOf(optimised));
});

test("a PNG that is packed best stays as it is", async () => {
  const png = repackPng(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
      .png()
      .toBuffer(),
  );
  expect(repackPng(png)).toBe(png);
});
