import { cutOut } from "../../cutout/cut-out.ts";
import { profiles } from "../../cutout/profiles.ts";
import type { TileThreads } from "../../cutout/tile-threads.ts";
import type { Source } from "../../formats/open-source.ts";
import { withPictureFile } from "../../raster/picture-file.ts";
import { wholeOf } from "../../raster/rectangle.ts";
import { readCandidate } from "./candidate-file.ts";
import { writeCutOut } from "./write-cut-out.ts";

type Wanted = {
  /** 2 or more. */
  candidate: number;
  candidatesPath: string;
  /** Of the whole cut-out. */
  path: string;
  signal: AbortSignal;
  threads: TileThreads | undefined;
};

/**
 * Cuts another candidate out of the original at full resolution, without inference, into a PNG at `path`. Returns its
 * confidence.
 */
export async function cutCandidate(
  source: Source,
  { candidate, candidatesPath, path, signal, threads }: Wanted,
): Promise<number> {
  const { matte, profile, confidence } = await readCandidate(candidatesPath, candidate);
  const image = source.read({ colour: "own" }).ensureAlpha();
  return withPictureFile(image, `${path}.work`, async (work) => {
    await cutOut(work, { matte, profile: profiles[profile], signal, threads, onProgress: () => {} });
    const region = wholeOf(work);
    await writeCutOut(work, { source, options: { mask_only: false }, region, path, signal, isFilled: false });
    return confidence;
  });
}
