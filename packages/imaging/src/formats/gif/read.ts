import { CodecError } from "@tintype/codecs";
import { type GifDocument, type GifFrame, isCutOff, playGif, readGif } from "@tintype/codecs/gif";
import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { type CanvasFrame, joinFrames, longestSide } from "../webp/join-frames.ts";

/**
 * Opens a GIF by libvips. Files that libvips renders differently from browsers are rendered by `playGif` first.
 * @throws broken-image when the file is cut off; as `openWithLibvips`
 */
export async function openGif({ file, limits }: FileOpenOptions): Promise<Source> {
  const opening = { file, limits, format: "gif" } as const;
  const gif = documentOf(await file.bytes());
  if (!gif) return openWithLibvips(opening);
  const { width, height, frames } = gif;
  // libvips crops the logical screen to its frames; `playGif` does not, so the claimed size counts.
  checkPixels({ width, height, frames: frames.length }, limits);
  if (Math.max(width, height) > longestSide || !differsInLibvips(gif))
    return openWithLibvips({ ...opening, canvas: { width, height } });
  const plays = gif.loopCount === undefined ? 1 : gif.loopCount && gif.loopCount + 1;
  const input = await joinFrames({ width, height, plays, frames: shownFrames(gif) });
  return openWithLibvips({ ...opening, input });
}

/**
 * Undefined if the file cannot be parsed: libvips then reads it or reports the error.
 * @throws damaged when the file is cut off: libvips would read the frames that are there
 */
function documentOf(bytes: Uint8Array): GifDocument | undefined {
  try {
    return readGif(bytes);
  } catch (problem) {
    if (problem instanceof CodecError && problem.code === "damaged" && !isCutOff(problem)) return undefined;
    throw problem;
  }
}

/**
 * libnsgif enlarges the logical screen to contain every frame, and crops it to their union. What the first frame does
 * not cover is opaque black. For disposal method 2 it restores to the background colour if the frame has no transparent
 * index. Browsers keep the logical screen, which is transparent at first, and restore to transparent.
 */
function differsInLibvips({ width, height, frames }: GifDocument): boolean {
  const isBeyond = ({ rectangle: { left, top, ...size } }: GifFrame) =>
    left + size.width > width || top + size.height > height;
  const clearsToColour = ({ disposal, transparentIndex }: GifFrame) => disposal === "clear" && transparentIndex < 0;
  const isUncovered = frames.slice(0, 1).some(({ rectangle: { left, top, ...size } }) => {
    return left > 0 || top > 0 || size.width < width || size.height < height;
  });
  return isUncovered || frames.some(isBeyond) || frames.slice(0, -1).some(clearsToColour);
}

function* shownFrames(gif: GifDocument): Generator<CanvasFrame> {
  for (const { pixels, dirty, delayCs } of playGif(gif))
    yield { pixels: new Uint8Array(pixels.buffer), dirty, delayMs: delayCs * 10 };
}
