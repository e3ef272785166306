import type { Sharp } from "sharp";
import { encodings } from "../../quality/encodings.ts";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { Encoded, Encoder } from "../encoder.ts";

/** Above this many pixels, of all frames, half the time is worth 1 to 2 % of the bytes. */
const thoroughPixels = 8e6;
/**
 * Lossy WebP halves colour and reaches a score of 90 at most; from this quality on the encoder uses its near-lossless
 * mode.
 */
const nearLosslessFrom = 98;

/**
 * WebP, moving where the picture moves, with its delays and its loop count. A still drawing is also tried without loss,
 * which for drawings is often smaller. From quality 98 on next to nothing is lost, at 100 nothing.
 */
export const encodeWebp: Encoder = async (image, { quality, signal, decoded: known }) => {
  const { width, height } = await image.metadata(); // all frames of a moving picture are one tall strip
  const effort = width * height > thoroughPixels ? 4 : 5;
  if (quality >= nearLosslessFrom) {
    const lossless = (await write(image.clone().webp({ lossless: true, exact: quality === 100, effort }))).encoded;
    if (quality === 100) return lossless;
    // Near-lossless mode breaks repetitions: some drawings are smaller without loss.
    const nearLossless = (await write(image.webp({ nearLossless: true, quality: 60, effort }))).encoded;
    return lossless.bytes.length <= nearLossless.bytes.length ? lossless : nearLossless;
  }
  const setting = encoderSetting("webp", quality);
  const { encoded: lossy, isMoving } = await write(encodings.webp(image.clone(), setting, effort));
  if (isMoving) return lossy;
  signal?.throwIfAborted();
  const picture = known ?? (await decodePicture(image));
  if (!looksDrawn(picture)) return lossy;
  const { encoded: lossless } = await write(picture.open().webp({ lossless: true, effort }));
  return lossless.bytes.length <= lossy.bytes.length ? lossless : lossy;
};

async function write(image: Sharp): Promise<{ encoded: Encoded; isMoving: boolean }> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight } = info;
  return {
    encoded: { bytes: data, width, height: pageHeight ?? height, notes: [] },
    isMoving: pageHeight !== undefined && pageHeight < height,
  };
}
