import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { ssimulacra2 } from "../../packages/codecs/src/score/ssimulacra2.ts";
import { readRgb } from "../read-rgb.ts";
import type { BenchPicture } from "./pictures.ts";

/** `bytes` of the file, `score` SSIMULACRA 2 against the reference, `milliseconds` of the encoder alone. */
export type Point = { parameter: number; bytes: number; score: number; milliseconds: number };

/** `version` is part of the cache key: change it whenever the bytes change. */
export type Candidate = {
  name: string;
  version: string;
  encode(picture: BenchPicture, parameter: number): Promise<Uint8Array>;
};

/** Encodes, decodes and scores, or takes an earlier run's result from the temporary folder. */
export async function measure(picture: BenchPicture, candidate: Candidate, parameter: number): Promise<Point> {
  const folder = join(tmpdir(), "tintype-bench");
  const file = join(
    folder,
    `${[picture.id, candidate.name, candidate.version, parameter].join("_").replaceAll(/[^\w.-]/g, "-")}.json`,
  );
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known) return JSON.parse(known) as Point; // written below
  const start = performance.now();
  const bytes = await candidate.encode(picture, parameter);
  const milliseconds = performance.now() - start;
  const point = {
    parameter,
    bytes: bytes.length,
    score: ssimulacra2(picture.raw, await readRgb(sharp(bytes))),
    milliseconds,
  };
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(point));
  return point;
}

/**
 * Bytes at a score, interpolated on a curve of points: linear in the logarithm of bytes between the two neighbours;
 * undefined if the curve does not reach it. If a codec gets worse with more bytes, the cheaper point counts.
 */
export function bytesAtScore(points: readonly Point[], score: number): number | undefined {
  const front = points
    .filter((point) => !points.some((other) => other.bytes < point.bytes && other.score >= point.score))
    .sort((a, b) => a.score - b.score);
  const upper = front.findIndex((point) => point.score >= score);
  const [below, above] = [front[upper - 1], front[upper]];
  if (!below || !above) return above?.score === score ? above.bytes : undefined;
  const part = (score - below.score) / (above.score - below.score);
  return Math.exp(Math.log(below.bytes) * (1 - part) + Math.log(above.bytes) * part);
}
