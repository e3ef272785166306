import type { InputFormat } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { tiffHead } from "../raster/tiff-head.ts";
import type { Source } from "./source.ts";

/** Decoded by code of our own: rows from the top down, grey, RGB or RGBA (alpha not premultiplied). */
export type Pixels = {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  /** 8 unless said otherwise. Numbers of 16 bits are little-endian. */
  depth?: 8 | 16;
  data: Uint8Array;
  /** An ICC profile for grey or RGB, as `channels` are. */
  profile?: Uint8Array;
};

type Facts = { path: string; format: InputFormat; sizeBytes: number; pages?: number; notes: string[] };

/** A source whose pixels are in memory already. */
export function openPixels(pixels: Pixels, { pages = 1, ...facts }: Facts): Source {
  const { width, height, channels, depth = 8, data, profile } = pixels;
  const isGrey = channels === 1;
  // sharp takes raw pixels without a way to say which profile they are in; a TIFF around them says it.
  const file = profile || depth === 16 ? Buffer.concat([tiffHead({ ...pixels, depth }), data]) : undefined;
  const open = (): Sharp =>
    file
      ? sharp(file, { limitInputPixels: false })
      : sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return {
    ...facts,
    width,
    height,
    pages,
    isAnimated: false,
    hasAlpha: channels === 4,
    isGrey,
    hasProfile: profile !== undefined,
    depth,
    read: ({ colour = "own" } = {}) => inColour(open(), { isGrey, hasProfile: profile !== undefined, depth }, colour),
  };
}
