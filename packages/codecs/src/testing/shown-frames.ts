import sharp from "sharp";
import { readGif } from "../gif/document.ts";
import { playGif } from "../gif/play.ts";
import type { GifFile } from "./gif-file.ts";

/** A rendered frame: RGBA packed into one number per pixel (0 if transparent), and its duration in hundredths of a second. */
export type Shown = { pixels: number[]; delayCs: number };

/** The frames of a GIF as browsers render them, computed from its description by the simplest method. */
export function framesOf({ width, height, globalColours = [], frames }: GifFile): Shown[] {
  let canvas = Array<number>(width * height).fill(0);
  return frames.map((frame) => {
    const before = canvas.slice();
    const colours = frame.colours ?? globalColours;
    const pixels = canvas.map((old, at) => {
      const x = (at % width) - frame.left;
      const y = Math.floor(at / width) - frame.top;
      if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return old;
      const index = frame.indices[y * frame.width + x] ?? 0;
      return index === frame.transparentIndex ? old : (((colours[index] ?? 0) << 8) | 255) >>> 0;
    });
    const isInside = (at: number) => {
      const x = (at % width) - frame.left;
      const y = Math.floor(at / width) - frame.top;
      return x >= 0 && y >= 0 && x < frame.width && y < frame.height;
    };
    if (frame.disposal === 2) canvas = pixels.map((pixel, at) => (isInside(at) ? 0 : pixel));
    else canvas = frame.disposal === 3 ? before : pixels;
    return { pixels, delayCs: frame.delayCs ?? 0 };
  });
}

/** The frames of a GIF as our player renders them. */
export const framesByOurPlayer = (bytes: Uint8Array): Shown[] =>
  Array.from(playGif(readGif(bytes)), ({ pixels, delayCs }) => {
    const rgba = Buffer.from(pixels.slice().buffer);
    return { pixels: Array.from(pixels, (pixel, at) => (pixel === 0 ? 0 : rgba.readUInt32BE(at * 4))), delayCs };
  });

/** The frames of a GIF as libvips renders them. */
export async function framesByLibvips(bytes: Uint8Array): Promise<Shown[]> {
  const image = sharp(bytes, { animated: true });
  const { delay = [0], pages = 1 } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const size = (info.width * info.height) / pages;
  return Array.from({ length: pages }, (_, page) => ({
    pixels: Array.from({ length: size }, (_, at) => {
      const start = (page * size + at) * 4;
      return data[start + 3] === 0 ? 0 : data.readUInt32BE(start);
    }),
    delayCs: (delay[page] ?? 0) / 10,
  }));
}

/** Merges consecutive identical frames into one with the sum of their durations. */
export function joinAlike(frames: Shown[]): Shown[] {
  const joined: Shown[] = [];
  for (const frame of frames) {
    const last = joined.at(-1);
    if (last?.pixels.every((pixel, at) => pixel === frame.pixels[at])) last.delayCs += frame.delayCs;
    else joined.push({ ...frame });
  }
  return joined;
}
