import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { cleanMatte } from "../cutout/clean-matte.ts";
import { cutOut } from "../cutout/cut-out.ts";
import type { Matte } from "../cutout/matte.ts";
import { type ProfileName, profiles } from "../cutout/profiles.ts";
import type { TileThreads } from "../cutout/tile-threads.ts";
import { decodeToFile } from "../raster/picture-file.ts";
import { coarsen, type RenderedCutout } from "./rendered-cutout.ts";

/** Alpha [height, width] and foreground colours [3, height, width] of a result, 0..1. */
export type CutResult = { alpha: Float32Array; foreground: Float32Array };

type RunCutOutOptions = {
  profile: ProfileName;
  factor: number;
  coarse?: Float32Array;
  threads?: TileThreads;
  signal?: AbortSignal;
  onProgress?(fraction: number): void;
};

/** Runs the whole cut-out on a rendered picture, with the coarsened true alpha in place of the model's output. */
export async function runCutOut(
  { size, colour, alpha }: Pick<RenderedCutout, "size" | "colour" | "alpha">,
  {
    profile,
    factor,
    coarse = coarsen(alpha, size.width, factor).grid,
    threads,
    signal = new AbortController().signal,
    onProgress = () => {},
  }: RunCutOutOptions,
): Promise<CutResult> {
  const { width, height } = size;
  const area = width * height;
  const samples = Uint8Array.from({ length: 3 * area }, (_, i) =>
    Math.round(255 * (colour[(i % 3) * area + Math.floor(i / 3)] ?? 0)),
  );
  const folder = await mkdtemp(join(tmpdir(), "cut-"));
  const work = await decodeToFile(
    sharp(samples, { raw: { width, height, channels: 3 } }).ensureAlpha(),
    join(folder, "work"),
  );
  try {
    const matte: Matte = {
      values: coarse,
      width: Math.floor(width / factor),
      height: Math.floor(height / factor),
      region: { left: 0, top: 0, width, height },
    };
    await cutOut(work, {
      matte: cleanMatte(matte, profiles[profile]),
      profile: profiles[profile],
      threads,
      signal,
      onProgress,
    });
    const rgba = work.readRows({ first: 0, count: height });
    return {
      alpha: Float32Array.from({ length: area }, (_, i) => (rgba[4 * i + 3] ?? 0) / 255),
      foreground: Float32Array.from(
        { length: 3 * area },
        (_, i) => (rgba[4 * (i % area) + Math.floor(i / area)] ?? 0) / 255,
      ),
    };
  } finally {
    work.remove();
    await rm(folder, { recursive: true });
  }
}

/** Mean errors over a picture, in thousandths: of alpha, and of the colours composited over black and over white. */
export function errorsOf(truth: RenderedCutout, { alpha, foreground }: CutResult): { alpha: number; fringe: number } {
  const area = truth.alpha.length;
  let [alphaError, fringe] = [0, 0];
  for (let i = 0; i < area; i += 1) {
    const [own, right] = [alpha[i] ?? 0, truth.alpha[i] ?? 0];
    alphaError += Math.abs(own - right);
    for (let at = i; at < 3 * area; at += area)
      for (const behind of [0, 1])
        fringe += Math.abs(
          own * (foreground[at] ?? 0) + (1 - own) * behind - right * (truth.foreground[at] ?? 0) - (1 - right) * behind,
        );
  }
  return { alpha: (1000 * alphaError) / area, fringe: (1000 * fringe) / (6 * area) };
}
