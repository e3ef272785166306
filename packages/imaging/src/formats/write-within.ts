import { DomainError, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { decodePicture } from "../raster/decoded-picture.ts";
import type { Encoded } from "./encoder.ts";
import { type ByteLimit, type Fitted, fitBytes } from "./fit-bytes.ts";
import { orderedEncoder } from "./ordered-encoder.ts";
import { fitPng } from "./png/fit.ts";
import { qualityLadder } from "./quality-ladder.ts";
import { formatModules } from "./registry.ts";
import { needsOrder } from "./write-picture.ts";

export type Within = ByteLimit & { allowResize: boolean };

type WithinOptions = Within & {
  format: OutputFormat;
  isAnimated: boolean;
  hasHalvedColour: boolean;
  signal: AbortSignal;
  /** Resizes the picture by `scale`; undefined if it cannot be resized. */
  shrink: ((scale: number) => Promise<Sharp>) | undefined;
};

/** Encodings for the quality search. */
export const maxQualityEncodes = 5;
/** Encodings after a size fits, for a larger one. */
const maxBetterSizes = 3;
/** Sizes that are tried until one fits: they become small, and cost little. */
const maxSizes = 12;
/** The assumed slope of ln(bytes) over ln(scale), below 2: bytes shrink a little slower than pixels. */
const defaultSlope = 1.8;
/** Bounds of a measured slope, which headers or noise can dominate. */
const slopes = { min: 0.5, max: 2.5 };
/** While nothing fits, each scale is at most this share of the previous one. */
const minShrinking = 0.8;
/** Shares of the byte limit: the aim of a size, and what is good enough to stop. */
const aimedUse = 0.96;
const goodUse = 0.92;

/**
 * Encodes the picture in at most `maxBytes`, at the best quality that fits. If none fits and the caller allows it, the
 * picture is resized at the lowest quality.
 * @throws size-unreachable
 */
export async function encodeWithin(image: Sharp, wanted: WithinOptions): Promise<Encoded & { quality: number }> {
  const { best, smallestBytes } = await fitQuality(image, wanted);
  if (best) return best;
  if (!wanted.allowResize || !wanted.shrink) throw unreachable(wanted, smallestBytes);
  return fitSize({ ...wanted, shrink: wanted.shrink }, smallestBytes);
}

async function fitQuality(image: Sharp, wanted: WithinOptions): Promise<Fitted> {
  const { format, isAnimated, hasHalvedColour, signal, maxBytes, minQuality, bestQuality } = wanted;
  const limit = { maxBytes, minQuality, bestQuality };
  const search = { maxBytes, signal, maxEncodes: format === "bmp" ? 1 : maxQualityEncodes };
  const options = { minimizeBytes: true, hasHalvedColour, signal, isAnimated };
  if (isAnimated || format === "gif" || format === "bmp") {
    const encode = (quality: number) => formatModules[format].encode(image.clone(), { ...options, quality });
    const isOrdered = needsOrder(format, await image.metadata());
    return fitBytes({
      ...search,
      ...qualityLadder({ format, picture: undefined }, limit),
      encode: isOrdered ? orderedEncoder(encode, { format }) : encode,
    });
  }
  const decoded = await decodePicture(image);
  if (format === "png") return fitPng(decoded, { ...limit, signal });
  const encode = (quality: number) => formatModules[format].encode(decoded.open(), { ...options, quality, decoded });
  return fitBytes({
    ...search,
    ...qualityLadder({ format, picture: decoded }, limit),
    encode: needsOrder(format, decoded) ? orderedEncoder(encode, { format, picture: decoded }) : encode,
  });
}

/** Finds the largest size that fits at the lowest quality, by the secant method on ln(bytes) over ln(scale). */
async function fitSize(
  wanted: WithinOptions & { shrink: (scale: number) => Promise<Sharp> },
  bytesAtFullSize: number,
): Promise<Encoded & { quality: number }> {
  const { format, maxBytes, minQuality, hasHalvedColour, signal, shrink } = wanted;
  let [scale, bytes, slope] = [1, bytesAtFullSize, defaultSlope];
  let best: Encoded | undefined;
  for (let tries = 0; tries < (best ? maxBetterSizes : maxSizes); tries++) {
    signal.throwIfAborted();
    const step = ((aimedUse * maxBytes) / bytes) ** (1 / slope);
    const before = { scale, bytes };
    scale = Math.min(1, scale * (best || tries === 0 ? step : Math.min(minShrinking, step)));
    const image = await shrink(scale);
    const encoded = await formatModules[format].encode(image, {
      quality: minQuality,
      minimizeBytes: true,
      hasHalvedColour,
      signal,
    });
    bytes = encoded.bytes.length;
    const measured = Math.log(bytes / before.bytes) / Math.log(scale / before.scale);
    if (tries > 0) slope = Math.max(slopes.min, Math.min(slopes.max, measured || defaultSlope));
    if (bytes <= maxBytes && bytes > (best?.bytes.length ?? 0)) best = encoded;
    if (bytes <= maxBytes && bytes >= goodUse * maxBytes) break;
    if (bytes > maxBytes && encoded.width * encoded.height === 1) break;
  }
  if (!best) throw unreachable(wanted, bytes);
  const { width, height } = best;
  const note: Note = { code: "scaled-down-to-fit", width, height, maxBytes, format };
  return { ...best, quality: minQuality, notes: [...best.notes, note] };
}

export const unreachable = (
  { maxBytes, allowResize }: Pick<Within, "maxBytes" | "allowResize">,
  smallestBytes: number,
) =>
  new DomainError("size-unreachable", {
    field: "max_bytes",
    smallestBytes,
    reason: { code: "more-bytes-than", maxBytes, smallestBytes, allowResize },
  });
