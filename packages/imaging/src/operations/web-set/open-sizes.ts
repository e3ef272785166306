import { rm } from "node:fs/promises";
import type { RowReader, RowWriter } from "@tintype/codecs/raster";
import type { Note } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../../formats/fit-to-format.ts";
import type { Source } from "../../formats/open-source.ts";
import { type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { createResult } from "../../raster/result.ts";
import { resampleSteps } from "../../resample/resample.ts";
import { finishInSteps } from "../../resample/steps.ts";
import type { OpenedTask } from "../operation.ts";
import { type Geometry, resizeDrawing } from "../resize/geometry.ts";
import { openRows } from "../resize/still.ts";

/** A picture at one size. `open` gives a new pipeline; `decoded` holds its samples if they are in memory. */
export type SizedPicture = { open(): Sharp; decoded: DecodedPicture | undefined };

export type Sizes = {
  /** A large result stays on disk until the next one is made. */
  make(size: Geometry): Promise<SizedPicture>;
  notes: Note[];
  close(): Promise<void>;
};

/** The picture at any size: decoded once, except that an SVG is rendered for each. */
export async function openSizes(
  source: Source,
  { task, signal }: { task: OpenedTask; signal: AbortSignal },
): Promise<Sizes> {
  if (source.format === "svg")
    return {
      async make(geometry) {
        const drawn = resizeDrawing(source, { geometry, method: "stretch", limits: task.limits });
        const decoded = await decodePicture(drawn);
        return { decoded, open: decoded.open };
      },
      notes: [],
      close: async () => {},
    };
  const { image, notes } = await fitToFormat(source, broadest);
  const temporaryPath = `${task.outputPath}.size.tif`;
  const opening = { image, format: broadest, temporaryPath: `${task.outputPath}.source.tif` } as const;
  const { rows, profile } = await openRows(source, opening);
  return {
    async make(size) {
      const result = createResult({ ...size, source: rows, profile, temporaryPath });
      if (size.width === rows.width && size.height === rows.height) copyRows(rows, result);
      else await finishInSteps(resampleSteps(rows, size, result), { signal });
      const opened = result.open();
      return { decoded: result.decoded, open: () => opened.clone() };
    },
    notes,
    async close() {
      rows.close();
      await rm(temporaryPath, { force: true });
    },
  };
}

/** The format that stores what all formats of a set support: transparency, a profile and 8 bits. */
const broadest = "webp";

function copyRows(from: RowReader, to: RowWriter): void {
  for (let y = 0; y < from.height; y++) {
    const row = from.readRow(y);
    to.writeRow(row instanceof Uint8Array ? row : Float32Array.from(row), y);
  }
}
