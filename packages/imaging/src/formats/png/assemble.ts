import { deflateSync } from "node:zlib";
import { pngChunk } from "./chunk.ts";
import { type PngHead, pngHead } from "./head.ts";
import { deflateOptimally, type ParseEffort } from "./optimal-deflate.ts";

/** A picture as PNG stores it. `rows` are whole bytes a row, without filter bytes. */
type PngPicture = Omit<PngHead, "density"> & {
  rows: Uint8Array;
  /** Red, green, blue, alpha of each colour, where colours come from a palette. */
  palette?: Uint8Array;
  filter: "none" | "average";
  /** zlib's level 6, for estimates, or our optimal parse. */
  effort: "quick" | ParseEffort;
};

/** A PNG file (PNG, third edition, section 5) with one filter type for all rows. */
export function writePng(picture: PngPicture): Buffer {
  const { height, depth, colourType, rows, palette, filter, effort } = picture;
  const pixelBytes = bytesAPixel(colourType, depth);
  const rowBytes = rows.length / height;
  const length = rows.length + height;
  const fill = (to: Uint8Array) => filterRows(rows, to, { height, filter, pixelBytes });
  const packed =
    effort === "quick"
      ? [deflateSync(fill(new Uint8Array(length)), { level: 6, memLevel: 9 })]
      : deflateOptimally({ length, rowBytes: rowBytes + 1, pixelBytes }, effort, fill);
  return Buffer.concat([
    pngHead(picture),
    ...(palette ? paletteChunks(palette) : []),
    pngChunk("IDAT", Buffer.concat(packed)),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

const samplesAPixel = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
/** bpp of the filters, at least one byte (PNG, third edition, 9.2). */
const bytesAPixel = (colourType: PngPicture["colourType"], depth: number) =>
  Math.max(1, (samplesAPixel[colourType] * depth) / 8);

/** PLTE, and tRNS up to the last alpha below 255 (PNG, third edition, 11.2.2 and 11.3.1.1). */
function paletteChunks(palette: Uint8Array): Buffer[] {
  const count = palette.length / 4;
  const colours = Buffer.alloc(count * 3);
  const alphas = Buffer.alloc(count);
  let translucent = 0;
  for (let i = 0; i < count; i++) {
    colours.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
    alphas[i] = palette[i * 4 + 3] ?? 255;
    if (alphas[i] !== 255) translucent = i + 1;
  }
  return [pngChunk("PLTE", colours), ...(translucent > 0 ? [pngChunk("tRNS", alphas.subarray(0, translucent))] : [])];
}

type Filtering = { height: number; filter: PngPicture["filter"]; pixelBytes: number };

/** Writes each row to `filtered`, after the byte that names its filter (PNG, third edition, 9.2). */
function filterRows(rows: Uint8Array, filtered: Uint8Array, { height, filter, pixelBytes }: Filtering): Uint8Array {
  const length = rows.length / height;
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * length, y * (length + 1) + 1];
    if (filter === "none") {
      filtered.set(rows.subarray(from, from + length), to);
      continue;
    }
    filtered[to - 1] = 3;
    for (let i = 0; i < length; i++) {
      const left = i >= pixelBytes ? (rows[from + i - pixelBytes] as number) : 0;
      const above = y > 0 ? (rows[from + i - length] as number) : 0;
      filtered[to + i] = (rows[from + i] as number) - ((left + above) >> 1);
    }
  }
  return filtered;
}
