import { decodeIconBitmap, encodeIconBitmap, iconRow, readIconEntries, writeIcon } from "@tintype/codecs/ico";
import { emptyRaster, hasAlpha, type Raster, rowsOf, writeInto } from "@tintype/codecs/raster";
import sharp from "sharp";
import { brokenImage } from "../../raster/broken-image.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { resampleSteps } from "../../resample/resample.ts";
import { finishInSteps } from "../../resample/steps.ts";
import type { EncodeOptions, Encoder } from "../encoder.ts";
import { stripPng } from "../png/metadata.ts";
import { encodePng } from "../png/write.ts";

/** px: the sizes that browsers and Windows use. */
const iconSizes = [16, 32, 48, 256];
const largestIcon = 256;
/** Readers from before 2007 do not support PNG in an icon; they do not show this size either. */
const minPngSize = 256;

/**
 * An icon in the usual sizes, each a square with the whole picture centred. The picture is not enlarged: its own size
 * replaces larger ones. Smaller sizes are stored as BMP, which every reader supports, or as PNG with `minimizeBytes`.
 */
export const encodeIcon: Encoder = async (image, { quality, minimizeBytes = false, signal, decoded }) => {
  const picture = await asBytes(decoded ?? (await decodePicture(image)));
  const entries: { row: Uint8Array; bytes: Uint8Array }[] = [];
  const sizes = sizesFor(picture);
  for (const size of sizes) {
    const square = await drawAt(picture, size, signal);
    const isPng = minimizeBytes || size >= minPngSize;
    const options: EncodeOptions = { quality, minimizeBytes, signal };
    const bytes = isPng ? (await encodePng(asDecodedPicture(square).open(), options)).bytes : encodeIconBitmap(square);
    entries.push({ row: iconRow(square), bytes });
  }
  const largest = sizes.at(-1) ?? 0;
  return { bytes: writeIcon(entries), width: largest, height: largest, notes: [{ code: "icon-sizes", sizes }] };
};

function sizesFor({ width, height }: Raster): number[] {
  const own = Math.min(largestIcon, Math.max(width, height));
  return [...iconSizes.filter((size) => size < own), own];
}

/** Converts to 8-bit sRGB, whatever the caller has decoded. */
async function asBytes(picture: Awaited<ReturnType<typeof decodePicture>>): Promise<Raster<Uint8Array>> {
  if (picture.data instanceof Uint8Array && !picture.profile) return { ...picture, data: picture.data };
  const { data, info } = await picture.open("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** The picture centred in a transparent square, RGBA. */
async function drawAt(picture: Raster<Uint8Array>, side: number, signal?: AbortSignal): Promise<Raster<Uint8Array>> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const rows = rowsOf(picture);
  const sized = scale === 1 ? picture : emptyRaster(rows, { width, height });
  if (sized !== picture) await finishInSteps(resampleSteps(rows, { width, height }, writeInto(sized)), { signal });
  const data = new Uint8Array(side * side * 4);
  const [left, top] = [(side - width) >> 1, (side - height) >> 1];
  const { channels } = sized;
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, to = ((top + y) * side + left) * 4; x < width; x++, from += channels, to += 4) {
      data[to] = sized.data[from] ?? 0;
      data[to + 1] = sized.data[from + green] ?? 0;
      data[to + 2] = sized.data[from + blue] ?? 0;
      data[to + 3] = hasAlpha(channels) ? (sized.data[from + channels - 1] ?? 0) : 255;
    }
  return { width: side, height: side, channels: 4, data };
}

/** The icon with each image as PNG at this quality, if that is smaller. @throws broken-image */
export async function shrinkIcon(
  file: Uint8Array,
  { quality, signal }: { quality: number; signal?: AbortSignal | undefined },
): Promise<Uint8Array> {
  const entries: { row: Uint8Array; bytes: Uint8Array }[] = [];
  for (const entry of readIconEntries(file)) {
    signal?.throwIfAborted();
    const bytes = entry.kind === "png" ? stripPng(entry.bytes).bytes : entry.bytes;
    const picture = entry.kind === "png" ? await decodePng(bytes) : asDecodedPicture(decodeIconBitmap(entry));
    const png = await encodePng(picture.open(), { quality, minimizeBytes: true, signal });
    entries.push({ row: entry.row, bytes: png.bytes.length < bytes.length ? png.bytes : bytes });
  }
  return writeIcon(entries);
}

/** In sRGB: icons are written without a profile. */
const decodePng = (bytes: Uint8Array): Promise<DecodedPicture> =>
  decodePicture(sharp(bytes, { limitInputPixels: false, failOn: "error" })).catch(brokenImage);
