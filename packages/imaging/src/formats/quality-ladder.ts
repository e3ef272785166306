import type { Curve } from "@tintype/codecs/curve";
import type { OutputFormat } from "@tintype/contract";
import { detailOf } from "../quality/detail.ts";
import { encoderSetting } from "../quality/scale.ts";
import type { DecodedPicture } from "../raster/decoded-picture.ts";
import type { ByteLimit, ByteSearch } from "./fit-bytes.ts";
import { avifQuantizers } from "./heif/write.ts";

type Range = Pick<ByteLimit, "minQuality" | "bestQuality">;

/** What `fitBytes` chooses from for this picture in this format, and how its bytes are expected to grow. */
export const qualityLadder = (
  of: { format: OutputFormat; picture: DecodedPicture | undefined },
  range: Range,
): Pick<ByteSearch, "qualities" | "growth"> => ({
  qualities: distinctQualities(of, range),
  ...(of.format === "gif" || of.format === "tiff" ? { growth: dictionaryGrowth } : {}),
});

/** ln(bytes) of photographs as GIF and TIFF, whose dictionaries make less of a low quality: averages of six pictures. */
const dictionaryGrowth: Curve = [
  [1, 0],
  [40, 0.2],
  [80, 0.56],
  [90, 0.78],
  [100, 1.3],
];

/**
 * The qualities within the range that are worth encoding, ascending: of those that give the same encoder setting, the
 * highest. Where the setting is continuous or unknown, their results differ by 2 to 5 % of the bytes.
 */
function distinctQualities(
  { format, picture }: { format: OutputFormat; picture: DecodedPicture | undefined },
  { minQuality, bestQuality }: Range,
): number[] {
  const all = qualitiesBetween(minQuality, bestQuality);
  if (!picture || (format !== "avif" && format !== "webp")) return all.filter(isUseful);
  const settingAt = format === "avif" ? avifQuantizers(picture) : webpSettings(picture);
  return all.filter((quality, i) => {
    const next = all[i + 1];
    return next === undefined || settingAt(quality) !== settingAt(next);
  });
}

function qualitiesBetween(minQuality: number, bestQuality: number): number[] {
  const count = Math.floor(bestQuality - minQuality);
  const rising = Array.from({ length: count + 1 }, (_, i) => minQuality + i);
  return rising.at(-1) === bestQuality ? rising : [...rising, bestQuality];
}

/** Below this quality bytes grow by 2 % from one to the next. */
const everyOneFrom = 80;

const isUseful = (quality: number, i: number, all: readonly number[]) =>
  quality >= everyOneFrom || i % 2 === 0 || i === all.length - 1;

/** From 99 on WebP is written near-lossless, and lossless: `formats/webp/write.ts`. */
function webpSettings(picture: DecodedPicture): (quality: number) => number {
  const detail = detailOf(picture);
  return (quality) => (quality >= 99 ? 1000 + quality : encoderSetting("webp-plain", quality, detail));
}
