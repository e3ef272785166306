import type { Raster, RowReader, Samples } from "@tintype/codecs/raster";
import { emptyRaster, writeInto } from "@tintype/codecs/raster";
import type { Note } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { alphaLosses } from "../../formats/alpha-losses.ts";
import type { Timing } from "../../formats/encoder.ts";
import type { Source } from "../../formats/open-source.ts";
import { readRows } from "../../raster/read-rows.ts";
import { resampleSteps } from "../../resample/resample.ts";
import { finishInSteps, partOf } from "../../resample/steps.ts";
import { canvasRows, colourUnder, onCanvas, rowsFor } from "./canvas.ts";
import type { ResizeStillOptions } from "./still.ts";

/**
 * An animation at its new size, as sharp's tall strip of frames, with its delays and loop count. Each frame is resized
 * on its own: libvips resizes the strip as one picture, and the lower edge of a frame bleeds into the upper edge of the
 * next.
 */
export async function resizeAnimation(
  source: Source,
  { geometry, canvas = "transparent", format, temporaryPaths, context }: ResizeStillOptions,
): Promise<{ image: Sharp; decoded: undefined; timing: Timing; notes: Note[] }> {
  const { placed } = geometry;
  const background = placed && colourUnder(canvas);
  // sharp accepts a strip of raw pixels only without a profile.
  const notes: Note[] = [
    ...(source.hasProfile ? [{ code: "animation-colours-converted" } as const] : []),
    ...(background === undefined ? await alphaLosses(source, format) : []),
  ];
  const read = (frames: "first" | "all") => {
    const image = source.read({ frames, colour: "srgb" });
    return background !== undefined && source.hasAlpha ? image.flatten({ background }) : image;
  };
  const image = read("all");
  const { delay: delays = [], loop: plays = 0 } = await image.metadata();
  const sizeBytes = source.width * source.height * source.pages * 4;
  const picture = { depth: 8, isGrey: false, hasAlpha: source.hasAlpha } as const;
  const strip = await readRows(image, { picture, sizeBytes, temporaryPath: temporaryPaths.source });
  try {
    const { width, height, window } = geometry;
    const { pages } = source;
    const rows = placed ? rowsFor(canvas, strip) : strip;
    const { channels } = rows;
    const size = { width, height };
    const ground = {
      canvas,
      size,
      rows,
      image: read("first"),
      depth: 8,
      temporaryPath: temporaryPaths.result,
    } as const;
    const behind = placed && (await canvasRows(ground));
    const result = emptyRaster(rows, { width, height: height * pages });
    for (let page = 0; page < pages; page++) {
      const frame = writeInto({ ...result, data: frameData(result, { page, pages }) });
      const sink = placed && behind ? onCanvas(frame, { size, placed, channels, canvas: behind }) : frame;
      const target = { width, height, ...placed, window };
      const steps = resampleSteps(frameOf(rows, { page, pages }), target, sink);
      await finishInSteps(partOf(steps, { from: page / pages, to: (page + 1) / pages }), context);
      context.progress?.((page + 1) / pages);
    }
    const timing = { delays, plays };
    return { image: openStrip(result, { pageHeight: height, timing }), decoded: undefined, timing, notes };
  } finally {
    strip.close();
  }
}

/** A pipeline of an animation in sRGB, given as a strip of its frames. */
export function openStrip(
  { data, width, height, channels }: Raster<Samples>,
  { pageHeight, timing: { delays, plays } }: { pageHeight: number; timing: Timing },
): Sharp {
  const raw = { width, height, pageHeight, channels };
  // GIF options, which sharp applies to any other animated output. It rejects longer delays and more loops, which the
  // encoders write by `timing`, and by default drops frames that have become identical.
  const shown = { delay: delays.map((each) => Math.min(each, maxOfSharp)), loop: Math.min(plays, maxOfSharp) };
  return sharp(data, { raw, limitInputPixels: false }).gif({ ...shown, keepDuplicateFrames: true });
}

const maxOfSharp = 65_535;

type Page = { page: number; pages: number };

function frameOf(strip: RowReader, { page, pages }: Page): RowReader {
  const height = strip.height / pages;
  return { ...strip, height, readRow: (y) => strip.readRow(page * height + y) };
}

function frameData({ data }: ReturnType<typeof emptyRaster>, { page, pages }: Page) {
  const length = data.length / pages;
  return data.subarray(page * length, (page + 1) * length);
}
