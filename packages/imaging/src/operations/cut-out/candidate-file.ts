import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import type { CutOutCandidate } from "../../cutout/candidates.ts";
import type { Matte } from "../../cutout/matte.ts";
import type { ProfileName } from "../../cutout/profiles.ts";

type Head = {
  profile: ProfileName;
  candidates: (Omit<Matte, "values"> & Pick<CutOutCandidate, "confidence">)[];
};
type CandidateSet = { profile: ProfileName; candidates: readonly CutOutCandidate[] };

/**
 * Stores all candidates but the first, which is the result: a line of JSON, then each matte with a byte per cell,
 * gzipped. A matte is refined along its edges when it is requested.
 */
export async function writeCandidates(path: string, { profile, candidates }: CandidateSet): Promise<void> {
  const others = candidates.slice(1);
  const head: Head = {
    profile,
    candidates: others.map(({ matte: { values: _, ...grid }, confidence }) => ({ ...grid, confidence })),
  };
  const cells = others.map(({ matte }) => Uint8Array.from(matte.values, toByte));
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...cells]);
  await writeFile(path, await promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED }));
}

const toByte = (value: number): number => Math.round(255 * Math.min(1, Math.max(0, value)));

/** Two grids of 2048 x 2048 and a line. */
const maxBytes = 2 * 2048 ** 2 + 4096;

/** @param candidate 2 or more, numbered as for callers */
export async function readCandidate(path: string, candidate: number): Promise<CutOutCandidate & Pick<Head, "profile">> {
  const bytes = await promisify(gunzip)(await readFile(path), { maxOutputLength: maxBytes });
  const end = bytes.indexOf("\n");
  const { profile, candidates } = JSON.parse(bytes.toString("utf8", 0, end)) as Head; // written above
  const wanted = candidates[candidate - 2];
  if (!wanted) throw new Error(`An engine was asked for candidate ${candidate} of ${candidates.length + 1}`);
  const before = candidates.slice(0, candidate - 2).reduce((sum, { width, height }) => sum + width * height, 0);
  const { confidence, ...grid } = wanted;
  const cells = bytes.subarray(end + 1 + before, end + 1 + before + grid.width * grid.height);
  return { profile, confidence, matte: { ...grid, values: Float32Array.from(cells, (value) => value / 255) } };
}
