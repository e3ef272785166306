import type { Raster } from "@tintype/codecs/raster";
import { straightenedSize } from "@tintype/contract";
import sharp from "sharp";
import { expect, test } from "vitest";
import { straightenRaster } from "./straighten.ts";

const size = { width: 700, height: 500 };

async function photo(): Promise<Raster> {
  const file = new URL("../../../../test/fixtures/photos/valley.jpg", import.meta.url).pathname;
  const data = await sharp(file)
    .resize({ ...size, fit: "cover" })
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data, channels: 3, ...size };
}

/** The centre of a picture, rotated. */
const middle = (raster: Raster, degrees: number, { width, height }: { width: number; height: number }) => {
  const bounds = straightenedSize(raster, degrees);
  const corner = { left: (bounds.width - width) / 2, top: (bounds.height - height) / 2 };
  return straightenRaster(raster, { degrees, region: { ...corner, width, height } });
};

function psnr(one: Raster, other: Raster): number {
  const squares = Array.from(one.data).reduce((sum, value, i) => sum + (value - (other.data[i] ?? 0)) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (squares / one.data.length));
}

test("there and back again is nearly the same picture: the kernel blurs little", async () => {
  const before = await photo();
  const there = middle(before, 5, { width: 600, height: 420 });
  const back = middle(there, -5, { width: 500, height: 340 });
  const same = middle(before, 0, { width: 500, height: 340 });
  expect(psnr(same, back)).toBeGreaterThan(27);
});

test("a turn by nothing changes no pixel, whatever the tiles", async () => {
  const before = await photo();
  const same = middle(before, 0, size);
  expect(Buffer.from(same.data.buffer).equals(Buffer.from(before.data))).toBe(true);
});
