import { rm } from "node:fs/promises";
import {
  DomainError,
  keepsFormat,
  mostPreviewedMegapixels,
  type OutputFormat,
  type TaskOptions,
  text,
} from "@tintype/contract";
import { avifEncoding, effortFor } from "../../formats/avif.ts";
import type { EncodeOptions } from "../../formats/encoder.ts";
import { fitBytes } from "../../formats/fit-bytes.ts";
import { fitToFormat } from "../../formats/fit-to-format.ts";
import { openSource, type Source } from "../../formats/open-source.ts";
import { chosenFormat, outputFormat } from "../../formats/output-format.ts";
import { defaultQuality, encoders, losslessFormats, writePicture, writeWhole } from "../../formats/write-picture.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import type { Estimate, Outcome, RunContext, Task } from "../../task.ts";
import { leastGain } from "../compress/least-gain.ts";
import { checkResult } from "../resize/check-result.ts";
import { resizeGeometry } from "../resize/geometry.ts";
import { resizeStill } from "../resize/still.ts";
import { joinParts, sampleBoxes, shownBox } from "./cut-samples.ts";

/** An operation that a preview shows, with its parsed options. */
export type PreviewedWish =
  | { operation: "compress"; options: TaskOptions<"compress"> }
  | { operation: "convert"; options: TaskOptions<"convert"> }
  | { operation: "resize"; options: TaskOptions<"resize"> };

type Shown = { left?: number | undefined; top?: number | undefined; part: number; whole: boolean; side: number };

/** Encodings of the samples while searching for a quality. */
const mostEncodes = 5;

/**
 * A region of an operation's result in its own format, or all of it, reduced; and an estimate of the result's size: by
 * the same encoder at the same setting, from samples spread over the picture.
 */
export async function previewPart(
  task: Task,
  context: RunContext,
  { wish, shown }: { wish: PreviewedWish; shown: Shown },
): Promise<Outcome> {
  const source = await openSource(task.inputPath, task.limits, task.standsFor);
  const isStandIn = task.standsFor !== undefined;
  refuseUnseen(source, wish);
  const asked = wishOf(source, { wish, isStandIn });
  if (asked.format === "ico")
    throw new DomainError("cannot-process", { detail: "An icon is smaller than a preview of a part." });
  const picture = await drawn(source, { wish, format: asked.format, task, context });
  context.signal.throwIfAborted();
  const { format, maxBytes, minQuality, ...coding } = asked;
  const samples = samplesFor(format, coding);
  const isSmall = samples.count * samples.side ** 2 >= picture.width * picture.height * mostlySampled;
  const sampled = isSmall ? undefined : sampleBoxes(picture, samples);
  const sheet = sampled ? asDecodedPicture(joinParts(picture, sampled.boxes, sampled.across)) : picture;
  const share = sampled?.share ?? 1;
  const code = (one: DecodedPicture, quality: number) => encodeQuickly(one, { ...coding, format, quality });
  const box = shown.whole ? { left: 0, top: 0, ...sidesOf(picture) } : shownBox(picture, shown);
  const part = shown.whole
    ? await reduced(picture, codedSide(shown.side, asked))
    : asDecodedPicture(joinParts(picture, [box], 1));
  const grown = (bytes: number, fixedBytes: number) =>
    Math.round(
      fixedBytes +
        (Math.max(0, bytes - fixedBytes) * shareOfQuick({ format, quality: coding.quality }, picture)) / share,
    );
  const codeFixed = async () => (isSmall ? 0 : (await code(cornerOf(picture), coding.quality)).length);
  const codeAtOnce = async () => {
    // Concurrently: a second core encodes the part meanwhile.
    const sampling = code(sheet, coding.quality);
    const [fixedBytes, samples, bytes] = await Promise.all([
      codeFixed(),
      sampling,
      part === sheet ? sampling : code(part, coding.quality),
    ]);
    return { quality: coding.quality, sizeBytes: grown(samples.length, fixedBytes), bytes };
  };
  const codeWithin = async (most: number) => {
    const fixedBytes = await codeFixed();
    const found = await qualityWithin({ maxBytes: most, minQuality, bestQuality: coding.quality }, async (quality) =>
      grown((await code(sheet, quality)).length, fixedBytes),
    );
    context.signal.throwIfAborted();
    return { ...found, bytes: await code(part, found.quality) };
  };
  const { bytes, ...found } = await (maxBytes === undefined ? codeAtOnce() : codeWithin(maxBytes));
  context.signal.throwIfAborted();
  const written = shown.whole
    ? await writeReduced(bytes, { side: shown.side, task })
    : { format, width: box.width, height: box.height, sizeBytes: bytes.length };
  if (!shown.whole) await writeWhole(task.outputPath, bytes);
  const gain = wish.operation === "compress" ? leastGain(source.format, wish.options) : 0;
  // A picture that steps have changed does not come back as it was.
  const isKept = wish.operation === "compress" && !isStandIn && found.sizeBytes >= source.sizeBytes * (1 - gain);
  const estimate: Estimate = {
    left: box.left,
    top: box.top,
    width: picture.width,
    height: picture.height,
    sizeBytes: isKept ? source.sizeBytes : found.sizeBytes,
    ...(maxBytes === undefined ? {} : { quality: Math.round(found.quality) }),
  };
  const { width, height, sizeBytes } = source;
  return {
    kind: "done",
    source: { format: source.format, width, height, sizeBytes },
    result: { ...written, estimate },
    notes: [],
  };
}

const sidesOf = ({ width, height }: DecodedPicture) => ({ width, height });

/** Lossless encoding takes seconds a megapixel, and looks the same at any size. */
const codedSide = (side: number, { quality }: { quality: number }): number => (quality >= 100 ? side : 2 * side);

/** Fits the picture into a square of `side` px. */
async function reduced(picture: DecodedPicture, side: number): Promise<DecodedPicture> {
  if (Math.max(picture.width, picture.height) <= side) return picture;
  return decodePicture(picture.open().resize(side, side, { fit: "inside" }));
}

/**
 * The encoded picture as browsers draw it, inside a square of `side` px: an sRGB WebP without visible loss of its own.
 */
async function writeReduced(bytes: Uint8Array, { side, task }: { side: number; task: Task }) {
  const path = `${task.outputPath}.whole`;
  await writeWhole(path, bytes);
  try {
    const coded = await openSource(path, task.limits);
    const image = coded.read({ colour: "srgb" }).resize(side, side, { fit: "inside", withoutEnlargement: true });
    const { notes: _, ...written } = await writePicture(image, { format: "webp", path: task.outputPath, quality: 90 });
    return written;
  } finally {
    await rm(path, { force: true });
  }
}

/** Above this share of the pixels the whole picture is encoded, and nothing is estimated. */
const mostlySampled = 0.7;

/** A corner: its file consists mostly of fixed overhead, such as headers, tables and the profile. */
const cornerOf = (picture: DecodedPicture) =>
  asDecodedPicture(
    joinParts(
      picture,
      [{ left: 0, top: 0, width: Math.min(16, picture.width), height: Math.min(16, picture.height) }],
      1,
    ),
  );

function refuseUnseen({ format, isAnimated }: Source, { operation }: PreviewedWish): void {
  if (isAnimated) throw new DomainError("cannot-process", { detail: "Moving pictures have no preview of a part." });
  if (format === "gif" && operation === "compress")
    throw new DomainError("cannot-process", { detail: "A compressed GIF has no preview of a part." });
  if (format === "svg" && operation === "compress")
    throw new DomainError("cannot-process", { detail: "A compressed SVG looks as before: it has no preview." });
}

type Asked = Coding & { format: OutputFormat; maxBytes: number | undefined; minQuality: number };

/** Format and settings, as the operation itself would choose them. */
function wishOf(source: Source, { wish, isStandIn }: { wish: PreviewedWish; isStandIn: boolean }): Asked {
  const hasHalvedColour = source.hasHalvedColour ?? false;
  switch (wish.operation) {
    case "compress": {
      const { quality = 100, max_bytes: maxBytes, min_quality: minQuality } = wish.options;
      const { format } = outputFormat(
        { ...source, format: source.format === "svg" ? "png" : source.format },
        "compress",
      );
      return {
        format: format as OutputFormat,
        quality,
        maxBytes,
        minQuality,
        hasHalvedColour,
        minimizeBytes: true,
      }; // not SVG
    }
    case "convert": {
      const { target_format: format, quality, max_bytes: maxBytes, min_quality: minQuality } = wish.options;
      if (!isStandIn && keepsFormat(wish.options, source.format))
        throw new DomainError("cannot-process", { detail: text.sameFormat });
      const best = maxBytes === undefined ? (losslessFormats.includes(format) ? 100 : defaultQuality) : 100;
      const minimizeBytes = maxBytes !== undefined || (quality !== undefined && quality < 100);
      return { format, quality: quality ?? best, maxBytes, minQuality, hasHalvedColour, minimizeBytes };
    }
    case "resize": {
      const { quality } = wish.options;
      const { format } = chosenFormat(source, wish.options);
      return {
        format,
        quality: quality ?? defaultQuality,
        maxBytes: undefined,
        minQuality: 1,
        hasHalvedColour: false,
        minimizeBytes: quality !== undefined && quality < 100,
      };
    }
  }
}

type Drawing = { wish: PreviewedWish; format: OutputFormat; task: Task; context: RunContext };

async function drawn(source: Source, { wish, format, task, context }: Drawing): Promise<DecodedPicture> {
  if (wish.operation !== "resize" || source.format === "svg")
    return decodePicture(fitToFormat(source, format, backgroundOf(wish)).image);
  const geometry = resizeGeometry(source, wish.options);
  checkResult({ ...geometry, frames: 1, format, limits: { ...task.limits, megapixelsOut: mostPreviewedMegapixels } });
  const temporaryPaths = { source: `${task.outputPath}.source.tif`, result: `${task.outputPath}.result.tif` };
  const { image, decoded } = await resizeStill(source, {
    geometry,
    format,
    temporaryPaths,
    context: { signal: context.signal, progress: () => {} },
  });
  return decoded ?? decodePicture(image);
}

const backgroundOf = (wish: PreviewedWish) => (wish.operation === "convert" ? wish.options.background : undefined);

/** The best quality whose estimate fits; if none does, the lowest one, with its size. */
async function qualityWithin(
  limit: { maxBytes: number; minQuality: number; bestQuality: number },
  estimate: (quality: number) => Promise<number>,
): Promise<{ quality: number; sizeBytes: number }> {
  const tried = new Map<number, number>();
  const { best } = await fitBytes({
    ...limit,
    minQuality: Math.min(limit.minQuality, limit.bestQuality),
    mostEncodes,
    async encode(quality) {
      const sizeBytes = await estimate(quality);
      tried.set(quality, sizeBytes);
      // The search uses only the length.
      return { bytes: { length: sizeBytes } as Uint8Array, width: 0, height: 0, notes: [] };
    },
  });
  const quality = best?.quality ?? Math.min(...tried.keys());
  return { quality, sizeBytes: tried.get(quality) ?? limit.maxBytes };
}

export type Coding = { quality: number; hasHalvedColour: boolean; minimizeBytes: boolean };

/**
 * The samples of an estimate. More of them cost time and gain little: `bench/preview.ts` measures both. Palettes and
 * lossless coding depend on what the samples have in common with their surroundings: they are larger.
 */
function samplesFor(format: OutputFormat, { quality, minimizeBytes }: Coding): { side: number; count: number } {
  if (format === "png") return minimizeBytes && quality < 100 ? { side: 64, count: 12 } : { side: 128, count: 12 };
  // Both predict blocks from their neighbours, which the edges of samples lack.
  if (format === "avif" || format === "webp") return { side: 128, count: 12 };
  return { side: 64, count: 48 };
}

/** As the product's encoders do, except that AVIF and lossless WebP use less effort: they take seconds a megapixel. */
async function encodeQuickly(
  picture: DecodedPicture,
  { format, quality, ...options }: Coding & { format: OutputFormat },
): Promise<Uint8Array> {
  if (format === "avif" && quality < 100) {
    const encoding = await avifEncoding(picture, quality);
    return encodings[encoding](picture.open(), encoderSetting(encoding, quality), quickEffort).toBuffer();
  }
  const asked: EncodeOptions = { ...options, quality, decoded: picture, isUrgent: format === "webp" };
  return (await encoders[format](picture.open(), asked)).bytes;
}

/**
 * The size is within 2 % of that of effort 2, which takes 1.3 to 2.8 times the CPU time; effort 0 is off by up to 8 %.
 */
const quickEffort = 1;

/** The size of the product's own encoding relative to `encodeQuickly`: each step of effort saves 5 to 6 %. */
const shareOfQuick = (
  { format, quality }: { format: OutputFormat; quality: number },
  { width, height }: { width: number; height: number },
): number => (format === "avif" && quality < 100 ? 0.945 ** (effortFor(width * height) - quickEffort) : 1);
