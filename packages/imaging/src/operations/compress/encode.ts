import { bestQualityWithin, formats, type OutputFormat, type TaskOptions } from "@tintype/contract";
import { fitBytes } from "../../formats/fit-bytes.ts";
import { fitToFormat } from "../../formats/fit-to-format.ts";
import { shrinkGif } from "../../formats/gif/shrink.ts";
import { shrinkIcon } from "../../formats/ico/write.ts";
import type { Source } from "../../formats/open-source.ts";
import { isSmallPicture, orderedEncoder, qualityStep } from "../../formats/ordered-encoder.ts";
import { outputFormat } from "../../formats/output-format.ts";
import { withColourChunks } from "../../formats/png/colour-chunks.ts";
import { qualityLadder } from "../../formats/quality-ladder.ts";
import { checkDecodes } from "../../formats/source.ts";
import { stripMetadata } from "../../formats/strip-metadata.ts";
import { minifySvg } from "../../formats/svg/minify.ts";
import { plainSvg } from "../../formats/svg/plain.ts";
import { encodePicture } from "../../formats/write-picture.ts";
import { encodeWithin, maxQualityEncodes, unreachable } from "../../formats/write-within.ts";
import type { RunContext } from "../../task.ts";
import type { OpenedTask } from "../operation.ts";
import { shrinkStill } from "../resize/shrink-still.ts";
import { minGain } from "./min-gain.ts";
import type { Candidate, Original } from "./original.ts";

/** The input of one compress call. */
export type Request = {
  source: Source;
  original: Original;
  /** The file is the lossless intermediate of an earlier step: there is no original to fall back to. */
  isStandIn: boolean;
  options: TaskOptions<"compress">;
  task: OpenedTask;
  context: RunContext;
};

/**
 * The picture encoded at the requested quality, or within the byte limit; undefined if only the original is acceptable.
 */
export async function encodeAsAsked(request: Request): Promise<Candidate | undefined> {
  const { quality = 100, max_bytes: maxBytes } = request.options;
  const coded = maxBytes === undefined ? encodeAtQuality(request, quality) : encodeWithinLimit(request, maxBytes);
  return keepColourChunks(await coded, request.source);
}

/** Undefined if only the original is acceptable. */
export async function encodeWithoutLoss(request: Request): Promise<Candidate | undefined> {
  return keepColourChunks(await encodeAtQuality(request, 100), request.source);
}

async function encodeWithinLimit(request: Request, maxBytes: number): Promise<Candidate | undefined> {
  const { source, original, isStandIn, options, task, context } = request;
  const { quality, min_quality: minQuality, allow_resize: allowResize } = options;
  const best = bestQualityWithin({ quality, min_quality: minQuality });
  const { format, note } = outputFormat(source, "compress");
  if (!isStandIn && format === source.format && original.lostByEncoding() === "pictures")
    return encodeAtQuality(request, best);
  // An original that fits without its metadata needs no further loss.
  const stripped = quality === undefined && !isStandIn ? strippedIfSmall(original, maxBytes) : undefined;
  if (stripped) return stripped;
  if (format === "svg") return encodeAtQuality(request, best);
  const limit = { maxBytes, minQuality: Math.min(minQuality, best), bestQuality: best };
  const { signal } = context;
  const shrinkAll = isStandIn ? undefined : shrinkers[format];
  if (shrinkAll) {
    const encode = async (at: number) => ({
      bytes: await shrinkAll(original.bytes, { quality: at, signal }),
      ...sizeOf(source),
      notes: [],
    });
    const { best: fitted, smallestBytes } = await fitBytes({
      maxBytes,
      ...qualityLadder({ format, picture: undefined }, limit),
      maxEncodes: maxQualityEncodes,
      signal,
      encode: format === "gif" && isSmallPicture(stripOf(source)) ? orderedEncoder(encode, { format }) : encode,
    });
    if (fitted) return { format, bytes: fitted.bytes, notes: format === "ico" ? [] : source.notes };
    if (!allowResize || source.isAnimated) throw unreachable({ maxBytes, allowResize }, smallestBytes);
  }
  const { image, notes: dropped } = await fitToFormat(source, format);
  const isAnimated = source.isAnimated && formats[format].holds.animation;
  const fitted = await encodeWithin(image, {
    ...limit,
    format,
    allowResize,
    isAnimated,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    shrink: isAnimated ? undefined : (scale) => shrinkStill(source, { scale, format, task, signal }),
  });
  const notes = [...source.notes, ...(note ? [note] : []), ...dropped, ...fitted.notes];
  return { format, bytes: fitted.bytes, notes, size: sizeOf(fitted) };
}

/** Formats with several pictures, all of which are kept. */
const shrinkers: Partial<Record<OutputFormat, typeof shrinkIcon>> = { gif: shrinkGif, ico: shrinkIcon };

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

/** The size of all frames together. */
const stripOf = ({ width, height, isAnimated, pages }: Source) => ({
  width,
  height: height * (isAnimated ? pages : 1),
});

/** Metadata is seldom larger than half of the picture: a file far above the limit is not worth stripping. */
function strippedIfSmall({ bytes, withoutMetadata }: Original, maxBytes: number): Candidate | undefined {
  if (bytes.length > maxBytes * 1.5) return undefined;
  const stripped = withoutMetadata();
  return stripped.bytes.length <= maxBytes ? stripped : undefined;
}

async function encodeAtQuality(request: Request, quality: number): Promise<Candidate | undefined> {
  const { source, original, isStandIn, context } = request;
  const { signal } = context;
  const { format, note } = outputFormat(source, "compress");
  if (format === "svg") return encodeSvg(original.bytes);
  if (format === "gif" && !isStandIn) return shrinkOriginalGif(request, quality);
  if (format === "ico" && !isStandIn)
    return { format, bytes: await shrinkIcon(original.bytes, { quality, signal }), notes: [] };
  if (!isStandIn && format === source.format && original.lostByEncoding()) {
    await checkDecodes(source);
    return undefined;
  }
  const { image, notes: dropped } = await fitToFormat(source, format);
  const { bytes, notes, isExact } = await encodePicture(image, {
    format,
    quality,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    minimizeBytes: true,
    isAnimated: source.isAnimated,
  });
  const allNotes = [...source.notes, ...(note ? [note] : []), ...dropped, ...notes];
  return { format, bytes, notes: allNotes, ...(isExact ? { isExact } : {}) };
}

async function shrinkOriginalGif({ source, original, context }: Request, quality: number): Promise<Candidate> {
  const { signal, progress } = context;
  const format = "gif";
  const shrink = (at: number, report?: (fraction: number) => void) =>
    shrinkGif(original.bytes, {
      quality: at,
      signal,
      minGain: minGain(format, { quality: at }),
      ...(report && { progress: report }),
    });
  if (!isSmallPicture(stripOf(source)))
    return { format, bytes: await shrink(quality, (fraction) => progress({ fraction })), notes: source.notes };
  const encode = async (at: number) => ({ bytes: await shrink(at), ...sizeOf(source), notes: [] });
  const { bytes, isExact } = await orderedEncoder(encode, { format })(qualityStep(quality));
  return { format, bytes, notes: source.notes, ...(isExact ? { isExact } : {}) };
}

async function encodeSvg(bytes: Uint8Array): Promise<Candidate | undefined> {
  const { bytes: stripped, notes } = stripMetadata(bytes, "svg");
  const minified = await minifySvg(plainSvg(stripped));
  return minified === undefined ? undefined : { format: "svg", bytes: new TextEncoder().encode(minified), notes };
}

/** A PNG's own colour chunks are more precise than a profile, and smaller. */
function keepColourChunks(coded: Candidate | undefined, { colourChunks }: Source): Candidate | undefined {
  if (coded?.format !== "png" || !colourChunks) return coded;
  const { chunks, note: obsolete } = colourChunks;
  const notes = coded.notes.filter((note) => note !== obsolete);
  return { ...coded, bytes: withColourChunks(coded.bytes, chunks), notes };
}
