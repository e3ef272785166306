import { join } from "node:path";
import sharp from "sharp";

/**
 * A large picture with a small subject whose outline is known: a person of the pairs at half size, which smooths mask
 * and picture, composited into a photograph of 12 megapixels.
 */
export async function placeSmall(
  packs: string,
  { name, at }: { name: string; at: { left: number; top: number } },
): Promise<{ picture: Buffer; truth: Float32Array; size: { width: number; height: number } }> {
  const size = { width: 4000, height: 3000 };
  const image = sharp(join(packs, `cutout/images/${name}.jpg`)).removeAlpha();
  const { width = 0, height = 0 } = await image.metadata();
  const half = { width: Math.round(width / 2), height: Math.round(height / 2), fit: "fill" } as const;
  // The masks extend a pixel beyond the outline: erode them a little before using them as alpha.
  const mask = await sharp(join(packs, `cutout/masks/${name}.png`))
    .extractChannel(0)
    .blur(1.5)
    .linear(2, -220)
    .resize(half)
    .raw()
    .toBuffer();
  const subject = await image
    .resize(half)
    .joinChannel(mask, { raw: { width: half.width, height: half.height, channels: 1 } })
    .png()
    .toBuffer();
  const picture = await sharp(join(packs, "photos/camera_nikon_e990_3mp.jpg"))
    .resize({ ...size, fit: "cover" })
    .composite([{ input: subject, ...at }])
    .removeAlpha()
    .jpeg({ quality: 95 })
    .toBuffer();
  const truth = new Float32Array(size.width * size.height);
  for (let y = 0; y < half.height; y += 1)
    for (let x = 0; x < half.width; x += 1)
      truth[(at.top + y) * size.width + at.left + x] = (mask[y * half.width + x] ?? 0) / 255;
  return { picture, truth, size };
}
