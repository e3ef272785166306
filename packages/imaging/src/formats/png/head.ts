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

/** The file up to its palette or pixels: signature, header, colour profile, size. */
export function pngHead({ width, height, depth, colourType, profile, density }: PngHead): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    ...(profile ? [pngChunk("iCCP", profileData(profile))] : []),
    ...(density ? [pngChunk("pHYs", pixelsAMetre(density))] : []),
  ]);
}

/** A name, its end, method 0, and the profile packed. */
const profileData = (profile: Uint8Array) =>
  Buffer.concat([Buffer.from("icc\0\0", "latin1"), deflateSync(profile, { level: 9 })]);

const inchMetres = 0.0254;

function pixelsAMetre(density: number): Buffer {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(density / inchMetres));
  data.writeUInt32BE(Math.round(density / inchMetres), 4);
  data[8] = 1; // metres
  return data;
}
