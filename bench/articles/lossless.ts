import type { Sharp } from "sharp";
import { geometricMean } from "../averages.ts";
import { asSharp, type BenchPicture } from "../bytes/pictures.ts";

const ways = {
  png: (image: Sharp) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
  pngUnfiltered: (image: Sharp) => image.png({ compressionLevel: 9, adaptiveFiltering: false }),
  webp: (image: Sharp) => image.webp({ lossless: true, effort: 6 }),
  jpeg90: (image: Sharp) => image.jpeg({ quality: 90 }),
  png256: (image: Sharp) => image.png({ palette: true, colours: 256, compressionLevel: 9 }),
};

/** Bits per pixel of lossless formats, for photographs and for screenshots; uncompressed is 24. */
export async function measureLossless(kinds: {
  photos: readonly BenchPicture[];
  screens: readonly BenchPicture[];
}): Promise<Record<string, string>> {
  const figures: Record<string, string> = {};
  for (const [kind, pictures] of Object.entries(kinds))
    for (const [name, encode] of Object.entries(ways)) {
      const bits = await Promise.all(
        pictures.map(async (picture) => {
          const { length } = await encode(asSharp(picture)).toBuffer();
          return (length * 8) / (picture.raw.width * picture.raw.height);
        }),
      );
      figures[`lossless.${kind}.${name}`] = geometricMean(bits).toFixed(1);
    }
  return figures;
}
