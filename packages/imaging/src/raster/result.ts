import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import type { Held } from "./held.ts";
import { createRawFile } from "./raw-file.ts";
import { type RowSink, type RowSource, sinkInto } from "./rows.ts";
import { storeRow } from "./samples.ts";
import { type TiffPicture, tiffHead } from "./tiff-head.ts";

/** A picture to be filled row by row and then read like any other. What follows the last row is `open`, or `held`. */
export type Result = RowSink & {
  open(): Sharp;
  /** Its pixels, where they lie in memory. */
  held: Held | undefined;
};

type Shape = {
  width: number;
  /** px, of all frames together. */
  height: number;
  source: RowSource;
  profile?: Uint8Array | undefined;
  temporaryPath: string;
  /** Above so many bytes it goes to disk. */
  heldBytes?: number;
};

/** Pixels of a result that lie in memory at most, where encoders want them: 44 megapixels of RGB. */
const memoryBytes = 2 ** 27;

/**
 * Room for a still picture in the source's channels and depth, with its colour profile; on disk where it is large.
 */
export function createResult(shape: Shape): Result {
  const { width, height, source, profile, temporaryPath, heldBytes = memoryBytes } = shape;
  const channels = source.channels as 1 | 2 | 3 | 4; // what libvips' colour spaces have, one to three and alpha
  const depth = source.full === 65_535 ? 16 : 8;
  const picture: TiffPicture = { width, height, channels, depth, profile };
  const colour = { isGrey: channels < 3, hasProfile: profile !== undefined, depth } as const;
  const sizeBytes = (width * height * channels * depth) / 8;
  const input = { limitInputPixels: false } as const;
  if (sizeBytes > heldBytes) {
    const { sink, close } = fileSink(temporaryPath, picture);
    return {
      ...sink,
      held: undefined,
      open() {
        close();
        return inColour(sharp(temporaryPath, { ...input, sequentialRead: true }), colour);
      },
    };
  }
  // sharp takes raw pixels of 8 bits without a profile as they are; all else goes in an uncompressed TIFF.
  const isPlain = depth === 8 && !profile;
  const head = isPlain ? Buffer.alloc(0) : tiffHead(picture);
  const file = Buffer.alloc(head.length + sizeBytes);
  head.copy(file);
  const { buffer, byteOffset } = file;
  const data =
    depth === 16
      ? new Uint16Array(buffer, byteOffset + head.length, sizeBytes / 2)
      : new Uint8Array(buffer, byteOffset + head.length, sizeBytes);
  const raw = { width, height, channels };
  const open = () => inColour(isPlain ? sharp(file, { ...input, raw }) : sharp(file, input), colour);
  return { ...sinkInto({ data, ...raw }), open, held: { ...raw, ...samplesOf(data), profile, open } };
}

const samplesOf = (data: Uint8Array | Uint16Array) =>
  data instanceof Uint16Array ? ({ depth: 16, samples: data } as const) : ({ depth: 8, samples: data } as const);

function fileSink(path: string, picture: TiffPicture): { sink: RowSink; close(): void } {
  const file = createRawFile(path, picture);
  const length = picture.width * picture.channels;
  const samples = picture.depth === 16 ? new Uint16Array(length) : new Uint8Array(length);
  const writeRow: RowSink["writeRow"] = (row, y) => {
    storeRow(row, samples, 0);
    file.write(samples, { left: 0, top: y, rows: 1, from: 0, length, stride: length });
  };
  return { sink: { writeRow }, close: file.close };
}
