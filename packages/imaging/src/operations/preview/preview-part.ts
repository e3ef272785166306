import { rm } from "node:fs/promises";
import type { Rectangle, Size } from "@tintype/codecs/raster";
import {
  bestQualityWithin,
  DomainError,
  keepsFormat,
  maxPreviewMegapixels,
  type OutputFormat,
  type TaskOptions,
  wholePreviewPx,
} from "@tintype/contract";
import type { EncodeOptions } from "../../formats/encoder.ts";
import { type ByteSearch, fitBytes } from "../../formats/fit-bytes.ts";
import { readForFormat } from "../../formats/fit-to-format.ts";
import { avifEncoding, effortFor } from "../../formats/heif/write.ts";
import { openSource, type Source } from "../../formats/open-source.ts";
import { isSmallPicture } from "../../formats/ordered-encoder.ts";
import { chosenFormat, outputFormat } from "../../formats/output-format.ts";
import { qualityLadder } from "../../formats/quality-ladder.ts";
import { formatModules } from "../../formats/registry.ts";
import { factsOf } from "../../formats/source.ts";
import { codingFor, defaultQuality, encodePicture, writePicture, writeWhole } from "../../formats/write-picture.ts";
import { detailOf } from "../../quality/detail.ts";
import { encodings } from "../../quality/encodings.ts";
import { encoderSetting } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import type { Estimate, Outcome, RunContext, SourceRegion } from "../../task.ts";
import { minGain } from "../compress/min-gain.ts";
import { openInput } from "../open-input.ts";
import type { OpenedTask } from "../operation.ts";
import { checkResult } from "../resize/check-result.ts";
import type { Geometry } from "../resize/geometry.ts";
import { resizeStill } from "../resize/still.ts";
import { geometryOf } from "../resize.ts";
import { drawMark } from "../watermark/open-mark.ts";
import { paintStill } from "../watermark.ts";
import { joinParts, sampleBoxes, shownBox } from "./cut-samples.ts";
import { isFreelySeen } from "./source-cells.ts";
import { type PlacedStep, sourceRegion } from "./source-region.ts";

/** An operation that a preview shows, with its parsed options. */
export type PreviewRequest =
  | { operation: "compress"; options: TaskOptions<"compress"> }
  | { operation: "convert"; options: TaskOptions<"convert"> }
  | { operation: "resize"; options: TaskOptions<"resize"> }
  | { operation: "watermark"; options: TaskOptions<"watermark"> };

type PreviewView = { left?: number | undefined; top?: number | undefined; part: number; whole: boolean; side: number };

/** The steps before the operation, and for a document its page, from 1. */
type Before = { steps: readonly PlacedStep[]; page?: number };

/** Encodings of the samples while searching for a quality. */
const maxEncodes = 5;

/**
 * A region of an operation's result in its own format, or all of it, reduced; and an estimate of the result's size: by
 * the same encoder at the same setting, from samples spread over the picture.
 */
export async function previewPart(
  task: OpenedTask,
  context: RunContext,
  { request, view, before }: { request: PreviewRequest; view: PreviewView; before: Before },
): Promise<Outcome> {
  const source = await openInput(task);
  const isStandIn = task.standsFor !== undefined;
  refuseUnseen(source, request);
  const settings = previewSettings(source, { request, isStandIn });
  if (settings.format === "ico") throw new DomainError("cannot-process", { reason: { code: "preview-of-icon" } });
  const geometry = await geometryIn(source, request);
  const picture = await drawn(source, { request, geometry, format: settings.format, task, context });
  context.signal.throwIfAborted();
  const { format, maxBytes, minQuality, ...coding } = settings;
  const samples = samplesFor(format, coding);
  const isSmall = samples.count * samples.side ** 2 >= picture.width * picture.height * mostlySampled;
  const sampled = isSmall ? undefined : sampleBoxes(picture, samples);
  const sheet = sampled ? asDecodedPicture(joinParts(picture, sampled.boxes, sampled.across)) : picture;
  const share = sampled?.share ?? 1;
  const detail = detailOf(picture);
  const code = (one: DecodedPicture, quality: number) =>
    encodeQuickly(one, { ...coding, format, quality, detailOfWhole: detail });
  const steps = [...before.steps, ...(geometry ? [{ operation: "resize" as const, geometry, before: source }] : [])];
  const seen = view.whole ? undefined : freePart(picture, view, { source: steps[0]?.before ?? source, steps });
  const box = seen?.box ?? { left: 0, top: 0, ...sidesOf(picture) };
  const side = wholePreviewPx(picture, view.side);
  const part = view.whole
    ? await reduced(picture, codedSide(side, settings))
    : asDecodedPicture(joinParts(picture, [box], 1));
  const grown = (bytes: number, fixedBytes: number) =>
    Math.round(
      fixedBytes +
        (Math.max(0, bytes - fixedBytes) * shareOfQuick({ format, quality: coding.quality }, picture)) / share,
    );
  const codeFixed = async () => (isSmall ? 0 : (await code(cornerOf(picture), coding.quality)).length);
  // As the operation does it: milliseconds, and nothing is estimated.
  const codeSmall = async () => {
    const encode = async (one: DecodedPicture) =>
      (await encodePicture(one.open(), { ...coding, format, decoded: one })).bytes;
    const whole = await encode(picture);
    return {
      quality: coding.quality,
      sizeBytes: whole.length,
      bytes: part === picture ? whole : await encode(part),
    };
  };
  const codeAtOnce = async () => {
    if (isSmallPicture(picture)) return codeSmall();
    // Concurrently: a second core encodes the shown part.
    const sampling = code(sheet, coding.quality);
    const [fixedBytes, samples, bytes] = await Promise.all([
      codeFixed(),
      sampling,
      part === sheet ? sampling : code(part, coding.quality),
    ]);
    return { quality: coding.quality, sizeBytes: grown(samples.length, fixedBytes), bytes };
  };
  const codeWithin = async (maxBytes: number) => {
    const fixedBytes = await codeFixed();
    const range = { minQuality: Math.min(minQuality, coding.quality), bestQuality: coding.quality };
    const found = await qualityWithin({ maxBytes, ...qualityLadder({ format, picture }, range) }, async (quality) =>
      grown((await code(sheet, quality)).length, fixedBytes),
    );
    context.signal.throwIfAborted();
    return { ...found, bytes: await code(part, found.quality) };
  };
  const { bytes, ...found } = await (maxBytes === undefined ? codeAtOnce() : codeWithin(maxBytes));
  context.signal.throwIfAborted();
  const written = view.whole
    ? await writeReduced(bytes, { side, task })
    : { format, width: box.width, height: box.height, sizeBytes: bytes.length };
  if (!view.whole) await writeWhole(task.outputPath, bytes);
  const gain = request.operation === "compress" ? minGain(source.format, request.options) : 0;
  // After other steps, compress no longer returns the original.
  const isKept =
    request.operation === "compress" &&
    !isStandIn &&
    ((request.options.quality === undefined && source.sizeBytes <= (maxBytes ?? 0)) ||
      found.sizeBytes >= source.sizeBytes * (1 - gain));
  const estimate: Estimate = {
    left: box.left,
    top: box.top,
    width: picture.width,
    height: picture.height,
    sizeBytes: isKept ? source.sizeBytes : found.sizeBytes,
    ...(maxBytes === undefined ? {} : { quality: Math.round(found.quality) }),
  };
  const { page } = before;
  return {
    kind: "done",
    source: factsOf(source),
    result: { ...written, estimate },
    notes: [],
    ...(seen ? { sourceRegion: { ...seen.region, ...(page === undefined ? {} : { page }) } } : {}),
  };
}

type Placed = { source: Size; steps: readonly PlacedStep[] };

/**
 * The region to show, and what it shows of the source: at most half of the picture, and no more of the source's cells than may be
 * seen for free. It is as large as requested where it can be.
 */
function freePart(
  picture: DecodedPicture,
  { left, top, part }: PreviewView,
  { source: { width, height }, steps }: Placed,
): { box: Rectangle; region: SourceRegion } {
  const [short, long] = [Math.min(picture.width, picture.height), Math.max(picture.width, picture.height)];
  const half = long >= 2 * short ? long / 2 : Math.sqrt((long * short) / 2);
  for (let side = Math.max(1, Math.min(part, Math.floor(half))); ; side -= 1) {
    const box = shownBox(picture, { left, top, part: side });
    const region = sourceRegion(box, { picture: { width, height }, steps });
    if (side === 1 || isFreelySeen(region)) return { box, region };
  }
}

const sidesOf = ({ width, height }: DecodedPicture) => ({ width, height });

/** Lossless encoding takes seconds per megapixel, and looks the same at any size. */
const codedSide = (side: number, { quality }: { quality: number }): number => (quality >= 100 ? side : 2 * side);

/** Fits the picture into a square of `side` px. */
async function reduced(picture: DecodedPicture, side: number): Promise<DecodedPicture> {
  if (Math.max(picture.width, picture.height) <= side) return picture;
  return decodePicture(picture.open().resize(side, side, { fit: "inside" }));
}

/**
 * The encoded picture as browsers render it, within a square of `side` px: an sRGB WebP without visible loss of its
 * own.
 */
async function writeReduced(bytes: Uint8Array, { side, task }: { side: number; task: OpenedTask }) {
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

function refuseUnseen({ format, isAnimated }: Source, { operation }: PreviewRequest): void {
  if (isAnimated) throw new DomainError("cannot-process", { reason: { code: "preview-of-animation" } });
  if (format === "gif" && operation === "compress")
    throw new DomainError("cannot-process", { reason: { code: "preview-of-gif" } });
  if (format === "svg" && operation === "compress")
    throw new DomainError("cannot-process", { reason: { code: "preview-of-svg" } });
}

/** Formats that are lossless unless fewer bytes are requested. */
const losslessFormats: readonly OutputFormat[] = ["png", "tiff", "bmp", "ico"];

type PreviewSettings = PreviewEncoding & { format: OutputFormat; maxBytes: number | undefined; minQuality: number };

/** Format and settings, as the operation itself would choose them. */
function previewSettings(
  source: Source,
  { request, isStandIn }: { request: PreviewRequest; isStandIn: boolean },
): PreviewSettings {
  const hasHalvedColour = source.hasHalvedColour ?? false;
  switch (request.operation) {
    case "compress": {
      const { quality = bestQualityWithin(request.options), max_bytes: maxBytes } = request.options;
      const { min_quality: minQuality } = request.options;
      const { format } = outputFormat(
        { ...source, format: source.format === "svg" ? "png" : source.format },
        "compress",
      );
      const written = format as OutputFormat; // not SVG
      return { format: written, quality, maxBytes, minQuality, hasHalvedColour, minimizeBytes: true };
    }
    case "convert": {
      const { target_format: format, quality, max_bytes: maxBytes, min_quality: minQuality } = request.options;
      if (!isStandIn && keepsFormat(request.options, source.format))
        throw new DomainError("cannot-process", { reason: { code: "same-format" } });
      const best =
        maxBytes === undefined
          ? losslessFormats.includes(format)
            ? 100
            : defaultQuality
          : bestQualityWithin(request.options);
      const minimizeBytes = maxBytes !== undefined || (quality !== undefined && quality < 100);
      return { format, quality: quality ?? best, maxBytes, minQuality, hasHalvedColour, minimizeBytes };
    }
    case "resize": {
      const { format } = chosenFormat(source, request.options);
      const coding = codingFor(request.options.quality);
      return { format, maxBytes: undefined, minQuality: 1, hasHalvedColour: false, ...coding };
    }
    case "watermark": {
      const { format } = outputFormat(source, "resize");
      return { format, maxBytes: undefined, minQuality: 1, hasHalvedColour: false, ...codingFor(undefined) };
    }
  }
}

/** What resize shows of the picture, and at which size; undefined for the other operations. */
const geometryIn = async (source: Source, { operation, options }: PreviewRequest): Promise<Geometry | undefined> =>
  operation === "resize" && source.format !== "svg" ? geometryOf(source, options) : undefined;

type DrawOptions = {
  request: PreviewRequest;
  geometry: Geometry | undefined;
  format: OutputFormat;
  task: OpenedTask;
  context: RunContext;
};

async function drawn(
  source: Source,
  { request, geometry, format, task, context }: DrawOptions,
): Promise<DecodedPicture> {
  if (request.operation === "watermark") {
    const { options } = request;
    const mark = await drawMark(source, task, options);
    const temporaryPath = `${task.outputPath}.marked`;
    try {
      const { image, decoded } = await paintStill(source, {
        ...{ mark, options, format, temporaryPath },
        context: { signal: context.signal },
      });
      return decoded ?? (await decodePicture(image));
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }
  if (!geometry) return decodePicture(readForFormat(source, format, backgroundOf(request)));
  checkResult({ ...geometry, frames: 1, format, limits: { ...task.limits, megapixelsOut: maxPreviewMegapixels } });
  const temporaryPaths = { source: `${task.outputPath}.source.tif`, result: `${task.outputPath}.result.tif` };
  const { image, decoded } = await resizeStill(source, {
    geometry,
    canvas: request.operation === "resize" ? request.options.canvas : undefined,
    format,
    temporaryPaths,
    context: { signal: context.signal, progress: () => {} },
  });
  return decoded ?? decodePicture(image);
}

const backgroundOf = (request: PreviewRequest) =>
  request.operation === "convert" ? request.options.background : undefined;

/** The best quality whose estimate fits; if none does, the lowest one, with its size. */
async function qualityWithin(
  search: Pick<ByteSearch, "maxBytes" | "qualities" | "growth">,
  estimate: (quality: number) => Promise<number>,
): Promise<{ quality: number; sizeBytes: number }> {
  const tried = new Map<number, number>();
  const { best } = await fitBytes({
    ...search,
    maxEncodes,
    async encode(quality) {
      const sizeBytes = await estimate(quality);
      tried.set(quality, sizeBytes);
      // The search uses only the length.
      return { bytes: { length: sizeBytes } as Uint8Array, width: 0, height: 0, notes: [] };
    },
  });
  const quality = best?.quality ?? Math.min(...tried.keys());
  return { quality, sizeBytes: tried.get(quality) ?? search.maxBytes };
}

export type PreviewEncoding = { quality: number; hasHalvedColour: boolean; minimizeBytes: boolean };

/**
 * The samples of an estimate. More of them take time and gain little: `bench/preview.ts` measures both. For palettes
 * and lossless coding, which exploit repetition across an area, the samples are larger.
 */
function samplesFor(
  format: OutputFormat,
  { quality, minimizeBytes }: PreviewEncoding,
): { side: number; count: number } {
  if (format === "png") return minimizeBytes && quality < 100 ? { side: 64, count: 12 } : { side: 128, count: 12 };
  // Both predict blocks from their neighbours, which the edges of samples lack.
  if (format === "avif" || format === "webp") return { side: 128, count: 12 };
  return { side: 64, count: 48 };
}

/** The product's except that AVIF and lossless WebP use less effort: they take seconds per megapixel. */
async function encodeQuickly(
  picture: DecodedPicture,
  { format, quality, ...options }: PreviewEncoding & Pick<EncodeOptions, "detailOfWhole"> & { format: OutputFormat },
): Promise<Uint8Array> {
  if (format === "avif" && quality < 100) {
    const encoding = await avifEncoding(picture, quality);
    const setting = encoderSetting(encoding, quality, options.detailOfWhole);
    return encodings[encoding](picture.open(), setting, quickEffort).toBuffer();
  }
  const settings: EncodeOptions = { ...options, quality, decoded: picture, isUrgent: format === "webp" };
  return (await formatModules[format].encode(picture.open(), settings)).bytes;
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
