import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { DomainError, formats, type InputFormat, type TaskOptions } from "@tintype/contract";
import { checkDecodes } from "../formats/check-decodes.ts";
import { fitBytes } from "../formats/fit-bytes.ts";
import { fitToFormat } from "../formats/fit-to-format.ts";
import { shrinkGif } from "../formats/gif/shrink.ts";
import { readHeifFacts } from "../formats/heif/facts.ts";
import { isMarked, lossMarkOf, withLossMark } from "../formats/loss-mark.ts";
import { openSource, type Source } from "../formats/open-source.ts";
import { outputFormat } from "../formats/output-format.ts";
import { withColourChunks } from "../formats/png/colour-chunks.ts";
import { stripMetadata } from "../formats/strip-metadata.ts";
import { minifySvg } from "../formats/svg/minify.ts";
import { plainSvg } from "../formats/svg/plain.ts";
import { isLossyWebp } from "../formats/webp/is-lossy.ts";
import { encoders, writeWhole } from "../formats/write-picture.ts";
import { encodeWithin, unreachable } from "../formats/write-within.ts";
import type { RunContext, Task } from "../task.ts";
import type { Operation } from "./operation.ts";
import { shrinkStill } from "./resize/shrink-still.ts";

/**
 * Fewer bytes at the same format and size in pixels. If no coding beats the original, the caller gets the original
 * without its metadata: the result is never larger than the source.
 */
export const compress: Operation = async (task, context) => {
  const options = task.options as TaskOptions<"compress">; // parsed by the contract before the task was made
  const source = await openSource(task.inputPath, task.limits, task.standsFor);
  const { format, width, height, sizeBytes } = source;
  const bytes = await readFile(source.path);
  const coded = (await isCodedFor(source, { bytes, options, task }))
    ? undefined
    : marked(keepColourChunks(await encodeFor(source, { bytes, options, task, context }), source), options);
  context.signal.throwIfAborted();
  // A stand-in is no original to fall back to.
  const isOriginal = task.standsFor === undefined;
  // The packing of a GIF knows itself what was lost.
  const gain = format === "gif" && isOriginal ? 0 : leastGain(format, options);
  const result =
    coded && !isOriginal ? coded : await formOf(coded, { original: { bytes, format }, source, gain, context });
  if (options.max_bytes !== undefined && result.bytes.length > options.max_bytes)
    throw unreachable({ maxBytes: options.max_bytes, allowResize: options.allow_resize }, result.bytes.length);
  await writeWhole(task.outputPath, result.bytes);
  return {
    kind: "done",
    source: { format, width, height, sizeBytes },
    result: { format: result.format, width, height, ...result.size, sizeBytes: result.bytes.length },
    notes: result.notes,
    ...(result.isOriginal ? { nothingSaved: true } : {}),
  };
};

/**
 * Of the bytes: what a loss has to save. A picture that was compressed before would lose a little more each time. Of
 * fourteen pictures at 30 to 90 the second time saved up to 7 % as AVIF, 9 % as GIF, 11 % as JPEG, 15 % as WebP and 16 % as PNG.
 */
export function leastGain(
  format: InputFormat,
  { quality, max_bytes: maxBytes }: Pick<TaskOptions<"compress">, "quality" | "max_bytes">,
): number {
  const isLossy = maxBytes === undefined && (quality !== 100 || format === "jpeg");
  if (!isLossy) return 0;
  const isCoarse = quality !== undefined && quality < coarse;
  return (isCoarse ? coarseGains[format] : undefined) ?? leastGains[format] ?? 0;
}

/** Below this quality a drawing as JPEG saved up to 24 % the second time, and a photograph that moves as GIF 12 %. */
const coarse = 40;
const coarseGains: Partial<Record<InputFormat, number>> = { jpeg: 0.25, gif: 0.2 };

/** Compress loses nothing of a BMP or an SVG, and writes a HEIC in another format. */
const leastGains: Partial<Record<InputFormat, number>> = {
  avif: 0.08,
  gif: 0.1,
  jpeg: 0.12,
  webp: 0.15,
  png: 0.16,
  tiff: 0.16,
};

type Marking = Pick<TaskOptions<"compress">, "quality" | "max_bytes">;

/** A result with loss says for which quality it was made. */
function marked(coded: Form | undefined, { quality = 100, max_bytes: maxBytes }: Marking): Form | undefined {
  if (!coded || maxBytes !== undefined || quality === 100 || !isMarked(coded.format)) return coded;
  return { ...coded, bytes: withLossMark(coded.bytes, { format: coded.format, quality }) };
}

/** Whether compress made this very file, at this quality or a lower one. @throws broken-image */
async function isCodedFor(source: Source, { bytes, options, task }: Omit<Asked, "context">): Promise<boolean> {
  const { quality = 100, max_bytes: maxBytes } = options;
  const { format } = source;
  if (maxBytes !== undefined || quality === 100 || task.standsFor !== undefined || !isMarked(format)) return false;
  const mark = markOf({ bytes, format });
  if (!mark || mark.quality > quality) return false;
  await checkDecodes(source);
  return true;
}

/** The picture that a mark vouches for, without metadata: what else a file holds does not stay for its mark. */
function markOf({ bytes, format }: Original): { quality: number; bare: Uint8Array } | undefined {
  const mark = isMarked(format) ? lossMarkOf(bytes, format) : undefined;
  if (!mark) return undefined;
  const { bytes: bare } = stripMetadata(mark.unmarked, format);
  return crc32(bare) === mark.checksum ? { quality: mark.quality, bare } : undefined;
}

type Choice = { original: Original; source: Source; gain: number; context: RunContext };

async function formOf(coded: Form | undefined, { original, source, gain, context }: Choice): Promise<Form> {
  if (!coded) return keptForm(original);
  const best = smallerForm(coded, original, gain);
  const pixels = source.width * source.height * (source.isAnimated ? source.pages : 1);
  if (best === coded || gain === 0 || !isWithoutLoss(original) || pixels > mostAgain) return best;
  const lossless = await encode(source, { bytes: original.bytes, quality: 100, isOriginal: true, context });
  const again = keepColourChunks(lossless, source);
  return again ? smallerForm(again, original, leastGainWithoutLoss) : best;
}

/** Less is what a second packing finds by chance: up to 0.8 % of a PNG that came out of compress. It then stays as it is. */
const leastGainWithoutLoss = 0.01;

/** Pixels of all frames that are coded a second time, without loss: more would take minutes. */
const mostAgain = 25e6;

/** Only what was coded without loss takes fewer bytes without loss. */
const isWithoutLoss = ({ bytes, format }: Original): boolean =>
  format === "png" || format === "tiff" || format === "gif" || (format === "webp" && !isLossyWebp(bytes));

/**
 * A candidate for the result; `notes` names its losses, `size` stands where it is not the source's, and `isOriginal` where the
 * picture itself is coded as it came.
 */
type Form = {
  format: InputFormat;
  bytes: Uint8Array;
  notes: string[];
  size?: { width: number; height: number };
  isOriginal?: true;
};
type Original = Pick<Form, "format" | "bytes">;
type Coding = { bytes: Uint8Array; quality: number; isOriginal: boolean; context: RunContext };

type Asked = { bytes: Uint8Array; options: TaskOptions<"compress">; task: Task; context: RunContext };

/** The picture coded as it was asked for: at a quality, or within bytes; undefined where only the original will do. */
async function encodeFor(source: Source, { bytes, options, task, context }: Asked): Promise<Form | undefined> {
  const { quality, max_bytes: maxBytes, min_quality: minQuality, allow_resize: allowResize } = options;
  const best = quality ?? 100;
  const isOriginal = task.standsFor === undefined;
  if (maxBytes === undefined) return encode(source, { bytes, quality: best, isOriginal, context });
  const { format, note } = outputFormat(source, "compress");
  const isKept = isOriginal && format === source.format && unwritable(source, bytes) === "pictures";
  // An original that is small enough without its metadata loses nothing else.
  const kept =
    quality === undefined && isOriginal && !isKept
      ? keptIfSmall({ bytes, format: source.format }, maxBytes)
      : undefined;
  if (isKept || kept || format === "svg") return kept ?? encode(source, { bytes, quality: best, isOriginal, context });
  const limit = { maxBytes, minQuality: Math.min(minQuality, best), bestQuality: best };
  const { signal } = context;
  if (format === "gif" && isOriginal) {
    const search = { ...limit, mostEncodes: 8, signal };
    const { best: fitted, smallestBytes } = await fitBytes({
      ...search,
      encode: async (at) => ({ bytes: await shrinkGif(bytes, { quality: at, signal }), ...sizeOf(source), notes: [] }),
    });
    if (fitted) return { format, bytes: fitted.bytes, notes: source.notes };
    if (!allowResize || source.isAnimated) throw unreachable({ maxBytes, allowResize }, smallestBytes);
  }
  const { image, notes: dropped } = fitToFormat(source, format);
  const isMoving = source.isAnimated && formats[format].holds.animation;
  const fitted = await encodeWithin(image, {
    ...limit,
    format,
    allowResize,
    isMoving,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    shrink: isMoving ? undefined : (scale) => shrinkStill(source, { scale, format, task, signal }),
  });
  const notes = [...source.notes, ...(note ? [note] : []), ...dropped, ...fitted.notes];
  return { format, bytes: fitted.bytes, notes, size: sizeOf(fitted) };
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

function keptIfSmall(original: Original, maxBytes: number): Form | undefined {
  if (original.bytes.length > maxBytes * 1.5) return undefined; // metadata are seldom so large
  const kept = keptForm(original);
  return kept.bytes.length <= maxBytes ? kept : undefined;
}

/** The picture coded for the quality; undefined where only the original will do. */
async function encode(source: Source, { bytes, quality, isOriginal, context }: Coding): Promise<Form | undefined> {
  const { signal, progress } = context;
  const { format, note } = outputFormat(source, "compress");
  if (format === "svg") return codeSvg(bytes);
  if (format === "gif" && isOriginal) {
    const report = (fraction: number) => progress({ fraction });
    const options = { quality, signal, progress: report, leastGain: leastGain(format, { quality }) };
    return { format, bytes: await shrinkGif(bytes, options), notes: source.notes };
  }
  if (isOriginal && format === source.format && unwritable(source, bytes)) {
    await checkDecodes(source);
    return undefined;
  }
  const { image, notes: dropped } = fitToFormat(source, format);
  const { bytes: coded, notes } = await encoders[format](image, {
    quality,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    minimizeBytes: true,
    isMoving: source.isAnimated,
  });
  return { format, bytes: coded, notes: [...source.notes, ...(note ? [note] : []), ...dropped, ...notes] };
}

async function codeSvg(bytes: Uint8Array): Promise<Form | undefined> {
  const { bytes: stripped, notes } = stripMetadata(bytes, "svg");
  const minified = await minifySvg(plainSvg(stripped));
  return minified === undefined ? undefined : { format: "svg", bytes: new TextEncoder().encode(minified), notes };
}

/**
 * What re-encoding would lose of the file's own format: pages, frames or a film, since a request for fewer bytes is no request for
 * fewer pages; or the gain map of an AVIF, which only a limit of bytes may cost.
 */
function unwritable({ format, pages, isAnimated }: Source, bytes: Uint8Array): "pictures" | "gain map" | undefined {
  if (format !== "avif") return pages > 1 && !isAnimated ? "pictures" : undefined;
  const { pictures, hasTrack, hasGainMap } = readHeifFacts(bytes);
  if (pictures > 1 || hasTrack) return "pictures";
  return hasGainMap ? "gain map" : undefined;
}

/** A PNG's own description of its colours says more than a profile, and takes fewer bytes. */
function keepColourChunks(coded: Form | undefined, { colourChunks }: Source): Form | undefined {
  if (coded?.format !== "png" || !colourChunks) return coded;
  const { chunks, note } = colourChunks;
  const notes = coded.notes.filter((said) => said !== note);
  return { ...coded, bytes: withColourChunks(coded.bytes, chunks), notes };
}

/** The source without its metadata; pages and frames that decoding would drop stay, and so does the mark of an earlier loss. */
function keptForm({ format, bytes }: Original): Form {
  const mark = markOf({ bytes, format });
  if (mark && isMarked(format))
    return { format, notes: [], bytes: withLossMark(mark.bare, { format, quality: mark.quality }), isOriginal: true };
  const stripped = stripMetadata(bytes, format);
  // A rewritten SVG can be longer if there was nothing to remove.
  const isLonger = stripped.bytes.length > bytes.length && stripped.notes.length === 0;
  return { format, notes: stripped.notes, bytes: isLonger ? bytes : stripped.bytes, isOriginal: true };
}

/** @throws broken-image when the original's structure cannot be followed and the coded form is larger */
function smallerForm(coded: Form, original: Original, gain: number): Form {
  try {
    const kept = keptForm(original);
    return coded.bytes.length < kept.bytes.length * (1 - gain) ? coded : kept;
  } catch (problem) {
    if (problem instanceof DomainError && coded.bytes.length <= original.bytes.length) return coded;
    throw problem;
  }
}
