import { formatNamed, type InputFormat, type OutputFormat, readWidths, type TaskOptions } from "@tintype/contract";
import { framesMultiple, refusePixels, roundMegapixels } from "../../formats/limits.ts";
import { checkSides } from "../../formats/output-format.ts";
import type { PictureLimits } from "../../task.ts";
import { checkResult } from "../resize/check-result.ts";
import { type Geometry, resizeGeometry } from "../resize/geometry.ts";

type Options = Pick<TaskOptions<"web-set">, "widths" | "formats">;
type Picture = { width: number; height: number; format: InputFormat };

/** In the order of the markup: a browser takes the first one that it supports. */
const byPreference = ["avif", "webp", "png", "jpeg"] as const satisfies readonly OutputFormat[];
export type SetFormat = (typeof byPreference)[number];

/**
 * The sizes of a set, largest first, checked before a pixel is decoded.
 * @throws too-many-pixels, or cannot-process if a side exceeds a format's limit
 */
export function sizesOf(
  picture: Picture,
  { widths, formats }: Options,
  limits: PictureLimits,
): [Geometry, ...Geometry[]] {
  const byWidth = new Map(
    readWidths(widths)
      .map((width) => resizeGeometry(picture, { width, method: "stretch", enlarge: false }))
      .map((size) => [size.width, size]),
  );
  // There is at least one width: the contract's pattern requires it.
  const sizes = [...byWidth.values()].toSorted((a, b) => b.width - a.width) as [Geometry, ...Geometry[]];
  for (const size of sizes) {
    checkResult({ ...size, frames: 1, format: "png", limits });
    for (const format of formatsOf(formats, { hasTransparency: false })) checkSides(format, size, "formats");
  }
  const megapixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0) / 1e6;
  const maxMegapixels = limits.megapixelsOut * framesMultiple;
  if (megapixels > maxMegapixels)
    refusePixels({
      code: "set-too-large",
      sizes: sizes.length,
      megapixels: roundMegapixels(megapixels),
      limit: maxMegapixels,
    });
  return sizes;
}

/** The formats of a set in the order of its markup; PNG replaces JPEG for pictures with transparency. */
export function formatsOf(written: string, { hasTransparency }: { hasTransparency: boolean }): SetFormat[] {
  const wanted = written.split(",").map((name) => {
    const format = formatNamed(name);
    return format === "jpeg" && hasTransparency ? "png" : format;
  });
  return byPreference.filter((format) => wanted.includes(format));
}

/**
 * The formats whose files together are smaller than those of every later format: a browser takes the first one that it
 * supports, and the last one is for all. `bytesOf` is the size of a format's files.
 */
export function worthwhileFormats(formats: readonly SetFormat[], bytesOf: (format: SetFormat) => number): SetFormat[] {
  const kept: SetFormat[] = [];
  for (const format of formats.toReversed())
    if (kept.every((one) => bytesOf(format) < bytesOf(one))) kept.unshift(format);
  return kept;
}
