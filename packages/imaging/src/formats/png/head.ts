import { deflateSync } from "node:zlib";
import { pngChunk, pngSignature } from "./chunk.ts";

export type PngHead = {
  width: number;
  height: number;
  depth: 1 | 2 | 4 | 8 | 16;
  /** PNG, third edition, table 12: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  colourType: 0 | 2 | 3 | 4 | 6;
  profile?: Uint8Array | undefined;
  /** The size at which it is to be shown, pixels an inch. */
  density?: number | undefined;
};

/** The file before PLTE or IDAT: signature, IHDR, iCCP, pHYs. */
export function pngHead({ width, height, depth, colourType, profile, density }: PngHead): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    ...(profile ? [profileChunk(profile)] : []),
    ...(density ? [pngChunk("pHYs", pixelsAMetre(density))] : []),
  ]);
}

/** iCCP (PNG, third edition, 11.3.2.3): a name, a zero, compression method 0, and the compressed profile. */
export const profileChunk = (profile: Uint8Array): Buffer =>
  pngChunk("iCCP", Buffer.concat([Buffer.from("icc\0\0", "latin1"), deflateSync(profile, { level: 9 })]));

const inchMetres = 0.0254;

function pixelsAMetre(density: number): Buffer {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(density / inchMetres));
  data.writeUInt32BE(Math.round(density / inchMetres), 4);
  data[8] = 1; // metres
  return data;
}
