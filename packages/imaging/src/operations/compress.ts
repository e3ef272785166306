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
 * Fewer bytes at the same format and size in pixels. Where no coding beats the original, the original comes back, without
 * its metadata and not coded anew: the result is never larger than what came in.
 */
export const compress: Operation = async (task, context) => {
  const { quality } = task.options as TaskOptions<"compress">; // parsed by the contract before the task was made
  const source = await openSource(task.inputPath, task.limits);
  const { format, width, height, sizeBytes } = source;
  const bytes = await readFile(source.path);
  const coded = await codeAnew(source, { bytes, quality, context });
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

/** A form the picture can be given back in; `notes` says what it lacks. */
type Form = { format: InputFormat; bytes: Uint8Array; notes: string[] };
type Original = Pick<Form, "format" | "bytes">;
type Coding = { bytes: Uint8Array; quality: number; context: RunContext };

/** The picture coded for the quality; undefined where only the original will do. */
async function codeAnew(source: Source, { bytes, quality, context }: Coding): Promise<Form | undefined> {
  const { signal, progress } = context;
  const { format, note } = outputFormat(source, "compress");
  if (format === "svg") return codeSvg(bytes);
  if (format === "gif") {
    const said = { quality, signal, progress: (fraction: number) => progress({ fraction }) };
    return { format, bytes: await shrinkGif(bytes, said), notes: source.notes };
  }
  if (format === source.format && holdsMorePictures(source, bytes)) {
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
  const minified = await minifySvg(plainSvg(bytes));
  if (minified === undefined) return undefined;
  // Once more for the photographs inside.
  return { format: "svg", ...stripMetadata(new TextEncoder().encode(minified), "svg") };
}

/** Pages, frames or a film that would be lost by writing the format anew: whoever wants fewer bytes wants all of them. */
function holdsMorePictures({ format, pages, isAnimated }: Source, bytes: Uint8Array): boolean {
  if (format === "png") return pngChunkTypes(bytes).includes("acTL");
  if (format === "avif") {
    const { pictures, hasTrack } = readHeifFacts(bytes);
    return pictures > 1 || hasTrack;
  }
  return pages > 1 && !isAnimated;
}

/** What came in, without its metadata; all that reading would drop is still there. */
function keptForm({ format, bytes }: Original): Form {
  const stripped = stripMetadata(bytes, format);
  // Text written anew can come out longer where there was nothing to take out.
  return { format, notes: stripped.notes, bytes: stripped.bytes.length > bytes.length ? bytes : stripped.bytes };
}

/** @throws broken-image when the original's structure cannot be followed and what was coded is larger */
function smallerForm(coded: Form, original: Original): Form {
  try {
    const kept = keptForm(original);
    return coded.bytes.length < kept.bytes.length ? coded : kept;
  } catch (problem) {
    if (problem instanceof DomainError && coded.bytes.length <= original.bytes.length) return coded;
    throw problem;
  }
}
