import { DomainError, type TaskOptions } from "@tintype/contract";
import { isMarked, withLossMark } from "../formats/loss-mark.ts";
import { pngChunks } from "../formats/png/container.ts";
import { checkDecodes, factsOf } from "../formats/source.ts";
import { writeWhole } from "../formats/write-picture.ts";
import { unreachable } from "../formats/write-within.ts";
import type { Outcome, RunContext } from "../task.ts";
import { encodeAsAsked, encodeWithoutLoss, type Request } from "./compress/encode.ts";
import { keepLikeness, type ScoredResult } from "./compress/keep-likeness.ts";
import { createMeter } from "./compress/measure-likeness.ts";
import { finerQuality, minGain } from "./compress/min-gain.ts";
import { type Candidate, type Original, readOriginal } from "./compress/original.ts";
import { openInput } from "./open-input.ts";
import type { OpenedTask, Operation } from "./operation.ts";

/**
 * Fewer bytes in the same format and pixel size. If no encoding beats the original, the caller gets the original
 * without its metadata: the result is never larger than the source.
 */
export const compress: Operation = async (task, context) => {
  const request = await readRequest(task, context);
  const { result, likeness } = await scoredResult(request);
  await writeWhole(task.outputPath, result.bytes);
  return { ...outcomeOf(request, result), ...(likeness === undefined ? {} : { likeness }) };
};

async function scoredResult(request: Request): Promise<ScoredResult> {
  const { min_likeness: minLikeness, measure } = request.options;
  if (minLikeness === undefined && !measure) return { result: await makeResult(request) };
  const likenessOf = createMeter(request);
  if (minLikeness !== undefined) return keepLikeness(request, { minLikeness, makeResult, likenessOf });
  const result = await makeResult(request);
  return { result, likeness: await likenessOf(result) };
}

/** @throws size-unreachable, broken-image */
async function makeResult(request: Request): Promise<Candidate> {
  if (await isCompressed(request)) return request.original.withoutMetadata();
  const coded = await encodeAsAsked(request);
  request.context.signal.throwIfAborted();
  const result = await chooseResult(request, coded && markLoss(coded, request.options));
  checkLimit(request, result);
  const finer = coded && finerQuality(request.source.format, request.options);
  if (finer === undefined || request.isStandIn || savesEnough(request, result)) return result;
  const other = await makeResult({ ...request, options: { ...request.options, quality: finer } });
  return other.bytes.length < result.bytes.length ? other : result;
}

/** Whether the result was encoded with loss: a GIF may also have been re-encoded without. */
function savesEnough({ source, original, options }: Request, { bytes, isOriginal }: Candidate): boolean {
  if (isOriginal) return false;
  if (source.format !== "gif") return true;
  return bytes.length < original.withoutMetadata().bytes.length * (1 - minGain("gif", options));
}

async function readRequest(task: OpenedTask, context: RunContext): Promise<Request> {
  const options = task.options as TaskOptions<"compress">; // parsed by the contract
  const source = await openInput(task);
  const original = readOriginal(source, await task.input.bytes());
  return { source, original, isStandIn: task.standsFor !== undefined, options, task, context };
}

/** Whether compress wrote this very file, at this quality or a lower one. @throws broken-image */
export async function isCompressed({ source, original, isStandIn, options }: Request): Promise<boolean> {
  const { quality = 100, max_bytes: maxBytes } = options;
  if (maxBytes !== undefined || quality === 100 || isStandIn) return false;
  if ((original.markedQuality() ?? Number.POSITIVE_INFINITY) > quality) return false;
  await checkDecodes(source);
  return true;
}

/** Marks a lossy result with its quality. */
export function markLoss(coded: Candidate, { quality = 100, max_bytes: maxBytes }: Request["options"]): Candidate {
  if (maxBytes !== undefined || quality === 100 || coded.isExact || !isMarked(coded.format)) return coded;
  return { ...coded, bytes: withLossMark(coded.bytes, { format: coded.format, quality }) };
}

/** The encoded picture if it saves enough, else the original without its metadata, or re-encoded losslessly. */
export async function chooseResult(request: Request, coded: Candidate | undefined): Promise<Candidate> {
  const { source, original, isStandIn, options } = request;
  if (!coded) return original.withoutMetadata();
  if (isStandIn) return coded;
  // shrinkGif applies the gain itself when it compares its lossy and lossless results.
  const gain = source.format === "gif" || coded.isExact ? 0 : minGain(source.format, options);
  const best = smaller(coded, original, gain);
  const pixels = source.width * source.height * (source.isAnimated ? source.pages : 1);
  if (best === coded || gain === 0 || !original.isLossless() || pixels > maxReencodedPixels) return best;
  const lossless = await encodeWithoutLoss(request);
  return lossless ? smaller(lossless, original, minGainWithoutLoss) : best;
}

/**
 * A second pass finds less than this by chance: up to 0.8 % of a PNG that compress wrote, and 1.7 % of an icon. Such a file is left as it
 * is. At 2 % a lower quality could take more bytes.
 */
const minGainWithoutLoss = 0.018;

/** The most pixels, over all frames, that are encoded a second time, losslessly: more would take minutes. */
const maxReencodedPixels = 25e6;

/** @throws broken-image when the original's structure cannot be parsed and the encoded picture is larger */
function smaller(coded: Candidate, original: Original, gain: number): Candidate {
  try {
    const stripped = original.withoutMetadata();
    const codedBytes = coded.bytes.length + densityBytes(stripped);
    return codedBytes < stripped.bytes.length * (1 - gain) ? coded : stripped;
  } catch (problem) {
    if (problem instanceof DomainError && coded.bytes.length <= original.bytes.length) return coded;
    throw problem;
  }
}

/** What a PNG's density takes, which is embedded after encoding: with it, too, the result has to be smaller. */
const densityBytes = ({ format, bytes }: Candidate): number =>
  format === "png" && [...pngChunks(bytes)].some(({ type }) => type === "pHYs") ? physBytes : 0;
const physBytes = 21;

/** @throws size-unreachable */
function checkLimit({ options }: Request, { bytes }: Candidate): void {
  const { max_bytes: maxBytes, allow_resize: allowResize } = options;
  if (maxBytes !== undefined && bytes.length > maxBytes) throw unreachable({ maxBytes, allowResize }, bytes.length);
}

function outcomeOf({ source }: Request, { format, size, bytes, notes, isOriginal }: Candidate): Outcome {
  const { width, height } = source;
  return {
    kind: "done",
    source: factsOf(source),
    result: { format, width, height, ...size, sizeBytes: bytes.length },
    notes,
    ...(isOriginal ? { nothingSaved: true } : {}),
  };
}
