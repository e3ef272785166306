import type { RasterShape } from "@tintype/codecs/raster";
import { type RowReader, type RowWriter, storeRow, writeInto } from "@tintype/codecs/raster";
import type { Sharp } from "sharp";
import sharp from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { createPicture, type DecodedPicture, ownColours } from "./decoded-picture.ts";
import { createPictureFile } from "./picture-file.ts";

/** A picture to be filled row by row. After the last row `open` gives pipelines that read it. */
export type Result = RowWriter & {
  open(): Sharp;
  /** The same picture, if it is in memory. */
  decoded: DecodedPicture | undefined;
};

type ResultOptions = {
  width: number;
  /** px, of all frames together. */
  height: number;
  source: RowReader;
  profile?: Uint8Array | undefined;
  temporaryPath: string;
  /** A larger result goes to disk. */
  memoryBytes?: number;
};

/** Encoders inspect samples in memory: 44 megapixels of RGB. */
const defaultMemoryBytes = 2 ** 27;

/** An empty still picture in the source's channels and depth, with its ICC profile; on disk if it is large. */
export function createResult(wanted: ResultOptions): Result {
  const { width, height, source, profile, temporaryPath, memoryBytes = defaultMemoryBytes } = wanted;
  const depth = source.full === 65_535 ? 16 : 8;
  const shape: RasterShape = { width, height, channels: source.channels, depth, profile };
  if ((width * height * source.channels * depth) / 8 > memoryBytes) return resultOnDisk(temporaryPath, shape);
  const decoded = createPicture(shape);
  return { ...writeInto(decoded), open: decoded.open, decoded };
}

function resultOnDisk(path: string, shape: RasterShape): Result {
  const file = createPictureFile(path, shape);
  const row =
    shape.depth === 16 ? new Uint16Array(shape.width * shape.channels) : new Uint8Array(shape.width * shape.channels);
  return {
    decoded: undefined,
    writeRow(samples, y) {
      storeRow(samples, row, 0);
      file.writeRows(y, row);
    },
    open() {
      file.close();
      return inColour(sharp(path, { limitInputPixels: false, sequentialRead: true }), ownColours(shape));
    },
  };
}
