import { rm } from "node:fs/promises";
import { emptyRaster, type RowReader, type RowWriter, type Size, writeInto } from "@tintype/codecs/raster";
import { formats, type Note, type OutputFormat, type TaskOptions } from "@tintype/contract";
import { fitToFormat } from "../formats/fit-to-format.ts";
import type { Source } from "../formats/open-source.ts";
import { formatForSize, outputFormat } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { readRows } from "../raster/read-rows.ts";
import { createResult } from "../raster/result.ts";
import { finishInSteps, type StepContext } from "../resample/steps.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";
import { openStrip } from "./resize/animation.ts";
import { withChannels } from "./resize/canvas.ts";
import { openRows } from "./resize/still.ts";
import { type DrawnMark, drawMark, openMark } from "./watermark/open-mark.ts";
import { paintMark } from "./watermark/paint.ts";
import { writeResult } from "./write-result.ts";

/** Share of the total time for decoding and painting; the rest is for encoding. */
const paintedShare = 0.4;

/** A text or a logo over a picture or each frame of an animation, in the picture's own format, colours and depth. */
export const watermark: Operation = async (task, { signal, progress }) => {
  const source = await openInput(task);
  const written = outputFormat(source, "resize");
  const isAnimated = source.isAnimated && formats[written.format].holds.animation;
  const target = isAnimated ? { format: written.format } : formatForSize(written.format, source);
  const options = task.options as TaskOptions<"watermark">; // parsed by the contract
  const mark = await drawMark(source, task, options);
  const context = { signal, progress: (fraction: number) => progress({ fraction: paintedShare * fraction }) };
  const temporaryPath = `${task.outputPath}.marked`;
  const painting = { mark, options, context, temporaryPath };
  try {
    const { image, notes, ...drawn } = isAnimated
      ? await paintFrames(source, painting)
      : await paintStill(source, { ...painting, format: target.format });
    progress({ fraction: paintedShare });
    const { notes: lost, ...result } = await writeResult(image, task, {
      ...{ format: target.format, isAnimated, signal },
      ...drawn,
    });
    const formatNotes = [written.note, target.note].filter((note) => note !== undefined);
    return {
      kind: "done",
      source: factsOf(source),
      ...result,
      notes: [...source.notes, ...formatNotes, ...notes, ...lost],
    };
  } finally {
    await rm(temporaryPath, { force: true });
  }
};

type Painting = {
  mark: DrawnMark;
  options: Pick<TaskOptions<"watermark">, "opacity" | "tiled">;
  context: StepContext;
  /** Of the result, if it is large; the caller removes it. */
  temporaryPath: string;
};

/** A still picture, or the first frame of an animation, under its mark. */
export async function paintStill(source: Source, { format, ...painting }: Painting & { format: OutputFormat }) {
  const { mark, temporaryPath } = painting;
  const isColoured = !mark.isNeutral;
  // The profile of a grey picture has no place for a colour.
  const isConverted = isColoured && source.isGrey && source.hasProfile;
  const read = isConverted ? ({ ...source, isGrey: false, depth: 8, hasProfile: false } as const) : source;
  const { image, notes: lost } = await fitToFormat(source, format);
  const notes: Note[] = [
    ...lost,
    ...(isConverted ? [{ code: "colours-converted-for-mark" } as const] : []),
    ...(isConverted && source.depth === 16 ? [{ code: "depth-reduced-for-mark" } as const] : []),
  ];
  const shown = isConverted ? source.read({ frames: "first", colour: "srgb" }) : image;
  const { rows, profile } = await openRows(read, { image: shown, format, temporaryPath: `${temporaryPath}.source` });
  try {
    const picture = withChannels(rows, { isColoured });
    const { width, height } = picture;
    const result = createResult({ width, height, source: picture, profile, temporaryPath });
    await paintOver(picture, result, { ...painting, frame: source, profile });
    return { image: result.open(), decoded: result.decoded, notes };
  } finally {
    rows.close();
  }
}

async function paintFrames(source: Source, painting: Painting) {
  // sharp accepts a strip of raw pixels only without a profile.
  const notes: Note[] = source.hasProfile ? [{ code: "animation-colours-converted" }] : [];
  const image = source.read({ frames: "all", colour: "srgb" });
  const { delay: delays = [], loop: plays = 0 } = await image.metadata();
  const picture = { depth: 8, isGrey: false, hasAlpha: source.hasAlpha } as const;
  const sizeBytes = source.width * source.height * source.pages * 4;
  const rows = await readRows(image, { picture, sizeBytes, temporaryPath: `${painting.temporaryPath}.source` });
  try {
    const result = emptyRaster(rows, rows);
    await paintOver(rows, writeInto(result), { ...painting, frame: source, profile: undefined });
    const timing = { delays, plays };
    return { image: openStrip(result, { pageHeight: source.height, timing }), timing, notes };
  } finally {
    rows.close();
  }
}

type Opened = Painting & { frame: Size; profile: Uint8Array | undefined };

/** Paints the mark over rows in the colours of this profile. */
async function paintOver(picture: RowReader, to: RowWriter, { mark: drawn, frame, context, ...opening }: Opened) {
  const { options, profile, temporaryPath } = opening;
  const mark = await openMark(drawn, { options, profile, temporaryPath: `${temporaryPath}.mark` });
  try {
    await finishInSteps(paintMark({ picture, to, mark, frame }), context);
  } finally {
    mark.close();
  }
}
