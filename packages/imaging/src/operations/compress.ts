import { readFile } from "node:fs/promises";
import { DomainError, type InputFormat, type TaskOptions } from "@tintype/contract";
import { checkDecodes } from "../formats/check-decodes.ts";
import { fitToFormat } from "../formats/fit-to-format.ts";
import { shrinkGif } from "../formats/gif/shrink.ts";
import { readHeifFacts } from "../formats/heif/facts.ts";
import { openSource, type Source } from "../formats/open-source.ts";
import { outputFormat } from "../formats/output-format.ts";
import { pngChunkTypes } from "../formats/png/chunk.ts";
import { stripMetadata } from "../formats/strip-metadata.ts";
import { minifySvg } from "../formats/svg/minify.ts";
import { plainSvg } from "../formats/svg/plain.ts";
import { encoders, writeWhole } from "../formats/write-picture.ts";
import type { RunContext } from "../task.ts";
import type { Operation } from "./operation.ts";

/**
 * Fewer bytes at the same format and size in pixels. If no coding beats the original, the caller gets the original
 * without its metadata: the result is never larger than the source.
 */
export const compress: Operation = async (task, context) => {
  const { quality } = task.options as TaskOptions<"compress">; // parsed by the contract before the task was made
  const source = await openSource(task.inputPath, task.limits);
  const { format, width, height, sizeBytes } = source;
  const bytes = await readFile(source.path);
  const coded = await encode(source, { bytes, quality, context });
  context.signal.throwIfAborted();
  const result = coded ? smallerForm(coded, { bytes, format }) : keptForm({ bytes, format });
  await writeWhole(task.outputPath, result.bytes);
  return {
    kind: "done",
    source: { format, width, height, sizeBytes },
    result: { format: result.format, width, height, sizeBytes: result.bytes.length },
    notes: result.notes,
  };
};

/** A candidate for the result; `notes` names its losses. */
type Form = { format: InputFormat; bytes: Uint8Array; notes: string[] };
type Original = Pick<Form, "format" | "bytes">;
type Coding = { bytes: Uint8Array; quality: number; context: RunContext };

/** The picture coded for the quality; undefined where only the original will do. */
async function encode(source: Source, { bytes, quality, context }: Coding): Promise<Form | undefined> {
  const { signal, progress } = context;
  const { format, note } = outputFormat(source, "compress");
  if (format === "svg") return codeSvg(bytes);
  if (format === "gif") {
    const options = { quality, signal, progress: (fraction: number) => progress({ fraction }) };
    return { format, bytes: await shrinkGif(bytes, options), notes: source.notes };
  }
  if (format === source.format && hasMorePictures(source, bytes)) {
    await checkDecodes(source);
    return undefined;
  }
  const { image, notes: dropped } = fitToFormat(source, format);
  const { bytes: coded, notes } = await encoders[format](image, {
    quality,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    minimizeBytes: true,
  });
  return { format, bytes: coded, notes: [...source.notes, ...(note ? [note] : []), ...dropped, ...notes] };
}

async function codeSvg(bytes: Uint8Array): Promise<Form | undefined> {
  const { bytes: stripped, notes } = stripMetadata(bytes, "svg");
  const minified = await minifySvg(plainSvg(stripped));
  return minified === undefined ? undefined : { format: "svg", bytes: new TextEncoder().encode(minified), notes };
}

/** Pages, frames or a film that re-encoding would lose: a request for fewer bytes is no request for fewer pages. */
function hasMorePictures({ format, pages, isAnimated }: Source, bytes: Uint8Array): boolean {
  if (format === "png") return pngChunkTypes(bytes).includes("acTL");
  if (format === "avif") {
    const { pictures, hasTrack } = readHeifFacts(bytes);
    return pictures > 1 || hasTrack;
  }
  return pages > 1 && !isAnimated;
}

/** The source without its metadata; pages and frames that decoding would drop stay. */
function keptForm({ format, bytes }: Original): Form {
  const stripped = stripMetadata(bytes, format);
  // A rewritten SVG can be longer if there was nothing to remove.
  const isLonger = stripped.bytes.length > bytes.length && stripped.notes.length === 0;
  return { format, notes: stripped.notes, bytes: isLonger ? bytes : stripped.bytes };
}

/** @throws broken-image when the original's structure cannot be followed and the coded form is larger */
function smallerForm(coded: Form, original: Original): Form {
  try {
    const kept = keptForm(original);
    return coded.bytes.length < kept.bytes.length ? coded : kept;
  } catch (problem) {
    if (problem instanceof DomainError && coded.bytes.length <= original.bytes.length) return coded;
    throw problem;
  }
}
