import type { InputFormat, Note } from "@tintype/contract";
import { exifOrientation } from "@tintype/contract";
import { embedFields } from "../formats/embed-fields.ts";
import { type InputFile, openInputFile } from "../formats/input-file.ts";
import { formatModules } from "../formats/registry.ts";
import type { Blocks } from "../metadata/blocks.ts";
import { choiceIn, optionOf } from "../metadata/choice.ts";
import { type Density, densityInTiff, swapAxes } from "../metadata/density.ts";
import { describeMetadata } from "../metadata/note.ts";
import { emptySelection, type Selection, selectFields, withDensity, writeBlocks } from "../metadata/select.ts";
import type { Outcome } from "../task.ts";
import type { OpenedTask } from "./operation.ts";

/** With a byte limit, metadata may take at most this share of it. */
const maxShare = 0.1;
/** The most that a container adds to a block: chunk headers, an item and its references, tags. */
const containerBytes = 110;

/**
 * What the result of a task keeps, and the bytes that a limit reserves for it. `ofOriginal`: the same for the original
 * that is returned, which is turned only by its orientation.
 */
export type MetadataPlan = { selection: Selection; ofOriginal: Selection; reservedBytes: number };

/**
 * Applies the task's choice to the metadata of its picture. Without a choice, as for an upload, nothing is kept but the
 * density, which always is.
 */
export async function planKeeping(task: OpenedTask): Promise<MetadataPlan> {
  const choice = task.metadata ?? (task.name === "edit" ? "all-but-place" : choiceIn(task.options));
  const blocks = await readBlocks(task.input);
  const fields = choice === undefined ? emptySelection : selectFields(blocks, choice);
  const density = askedDensity(task.options) ?? densityIn(blocks);
  const isTurned = isSideways(blocks) !== (task.name === "turn" && isQuarterTurn(task.options));
  const selection = withDensity(fields, density && isTurned ? swapAxes(density) : density);
  const plan = { selection, ofOriginal: withDensity(fields, density) };
  const limit = optionOf(task.options, "max_bytes");
  if (typeof limit !== "number" || !canHold(task)) return { ...plan, reservedBytes: 0 };
  return { ...plan, reservedBytes: selection.sets.map(sizeOf).find((size) => size <= limit * maxShare) ?? 0 };
}

function askedDensity(options: unknown): Density | undefined {
  const dpi = optionOf(options, "dpi");
  return typeof dpi === "number" ? { x: dpi, y: dpi } : undefined;
}

/** The density that a file states, if it states one. */
export const densityOf = async (path: string): Promise<Density | undefined> =>
  densityIn(await readBlocks(await openInputFile(path, { keeps: false })));

const densityIn = ({ density, exif }: Blocks): Density | undefined => density ?? (exif && densityInTiff(exif));

/** Whether decoding makes rows columns. The orientation in a WebP does not count. */
const isSideways = ({ exif, orientation = exif ? exifOrientation(exif) : 1 }: Blocks): boolean => orientation >= 5;

function isQuarterTurn(options: unknown): boolean {
  const degrees = optionOf(options, "degrees");
  return typeof degrees === "number" && degrees % 180 !== 0;
}

const sizeOf = (fields: Selection["sets"][number]): number => {
  const { exif, xmp } = writeBlocks(fields);
  return [exif, xmp].reduce((sum, block) => sum + (block ? block.length + containerBytes : 0), 0);
};

const without: readonly unknown[] = ["gif", "bmp", "svg", "ico"] satisfies InputFormat[];

const withoutDensity: readonly unknown[] = ["gif", "ico"] satisfies InputFormat[];

const canHold = ({ options, input: { format } }: OpenedTask): boolean =>
  !without.includes(optionOf(options, "target_format") ?? format);

/** The options with their byte limit reduced by what is embedded after encoding. */
export function reserveBytes(options: unknown, reservedBytes: number): unknown {
  const limit = optionOf(options, "max_bytes");
  // an object: it has max_bytes
  return typeof limit === "number" ? { ...(options as object), max_bytes: limit - reservedBytes } : options;
}

/**
 * The outcome with the metadata embedded in its file of at most `maxBytes`, and a note of what was kept and removed.
 */
export async function keepMetadata(
  outcome: Outcome,
  task: OpenedTask,
  { selection: ofResult, ofOriginal, maxBytes }: Omit<MetadataPlan, "reservedBytes"> & { maxBytes: number },
): Promise<Outcome> {
  // A web set has embedded it in each of its pictures.
  if (outcome.result.format === "zip") return outcome;
  const isOriginal = outcome.kind === "unchanged" || outcome.nothingSaved || task.name === "upload";
  const selection = isOriginal ? ofOriginal : ofResult;
  const { fields, sizeBytes } = await embedFields(task.outputPath, selection, maxBytes);
  if (outcome.kind === "done" && outcome.hasKept && task.keptPath !== undefined)
    await embedFields(task.keptPath, selection, Number.POSITIVE_INFINITY);
  const note = describeMetadata(selection.found, fields);
  const { format } = outcome.result;
  const notes: Note[] = [
    ...outcome.notes,
    ...(note === undefined ? [] : [note]),
    ...(askedDensity(task.options) && withoutDensity.includes(format)
      ? [{ code: "density-not-stored", format } as const]
      : []),
  ];
  return { ...withSize(outcome, sizeBytes), notes };
}

/** The outcome with the new size of its file. */
export const withSize = (outcome: Outcome, sizeBytes: number): Outcome =>
  outcome.kind === "unchanged"
    ? { ...outcome, result: { ...outcome.result, sizeBytes } }
    : { ...outcome, result: { ...outcome.result, sizeBytes } };

/**
 * The size limit of a result. A picture that was returned unchanged or compressed never grows. An original that was
 * returned because compression cost too much likeness may exceed the limit.
 */
export function maxBytesOf(outcome: Outcome, { name, options }: OpenedTask): number {
  const { kind, source, result } = outcome;
  if (kind === "done" && outcome.isStandIn) return Number.POSITIVE_INFINITY;
  const isBounded =
    name === "compress" ||
    name === "upload" ||
    kind === "unchanged" ||
    (name === "convert" && source.format === result.format);
  const limit = optionOf(options, "max_bytes");
  return Math.min(
    typeof limit === "number" && result.sizeBytes <= limit ? limit : Number.POSITIVE_INFINITY,
    isBounded ? source.sizeBytes : Number.POSITIVE_INFINITY,
  );
}

/** Whether a file has EXIF, and whether its EXIF, XMP or IPTC names a place. */
export async function findMetadata(path: string): Promise<{ hasExif: boolean; hasPlace: boolean }> {
  const file = await openInputFile(path, { keeps: false });
  const blocks = await readBlocks(file);
  // The directories of a TIFF are EXIF too: it has some if they say more than how the pixels are stored.
  const isTiff = file.format === "tiff";
  const ofExif = selectFields({ exif: blocks.exif }, "none").found;
  const { found } = selectFields(blocks, "none");
  return { hasExif: isTiff ? ofExif.size > 0 : blocks.exif !== undefined, hasPlace: found.has("location") };
}

/** A file's metadata blocks; none if its format has none, or if they cannot be parsed. */
async function readBlocks(file: InputFile): Promise<Blocks> {
  try {
    return (file.format && (await formatModules[file.format].readBlocks?.(file))) ?? {};
  } catch (cause) {
    if (cause instanceof RangeError) return {};
    throw cause;
  }
}
