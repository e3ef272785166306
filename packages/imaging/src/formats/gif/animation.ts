import type { ShownFrame } from "./play.ts";

/** A moving picture (or a still one: one frame) to be written, from any source. */
export type Animation = {
  width: number;
  height: number;
  /** 0 = for ever; undefined = shown once. */
  loopCount: number | undefined;
  /** A GIF application extension with an ICC profile, kept as it is. */
  profile?: Uint8Array | undefined;
  frameCount: number;
  /** All frames from the first. The packer iterates twice, and never keeps all frames. */
  frames(): Iterable<ShownFrame>;
};

/** Browsers show a frame of 0 or 1 hundredths for 10: two of them made one would be shown half as long. */
const shortestHonouredCs = 2;
const longestCs = 0xffff;

/** Whether one frame shown for both times looks the same as two that are alike. */
export const canJoin = (firstCs: number, secondCs: number): boolean =>
  firstCs >= shortestHonouredCs && secondCs >= shortestHonouredCs && firstCs + secondCs <= longestCs;
