import { wholeOf } from "@tintype/codecs/raster";
import { cutOut } from "../../cutout/cut-out.ts";
import { profiles } from "../../cutout/profiles.ts";
import { openSource } from "../../formats/open-source.ts";
import { withPictureFile } from "../../raster/picture-file.ts";
import type { EngineContext, OpenedTask } from "../operation.ts";
import { readCandidate } from "./candidate-file.ts";
import { writeCutOut } from "./write-cut-out.ts";

type CutCandidateOptions = {
  /** 2 or more. */
  candidate: number;
  /** Of the whole cut-out. */
  path: string;
  context: EngineContext;
};

/**
 * Cuts another candidate out of the original at full resolution, without inference, into a PNG at `path`. Returns its
 * confidence.
 */
export async function cutCandidate(
  task: OpenedTask,
  { candidate, path, context }: CutCandidateOptions,
): Promise<number> {
  const { auxiliaryPaths: { original, candidates } = {}, originalPage: page, limits } = task;
  if (original === undefined || candidates === undefined)
    throw new Error("An engine was asked for another candidate without what it is made of");
  const { signal, threads, progress } = context;
  const source = await openSource(original, limits, { page });
  progress({ fraction: 0.05, stage: "cutting-edges" });
  const { matte, profile, confidence } = await readCandidate(candidates, candidate);
  const image = source.read({ colour: "own" }).ensureAlpha();
  return withPictureFile(image, `${path}.work`, async (work) => {
    await cutOut(work, { matte, profile: profiles[profile], signal, threads, onProgress: () => {} });
    const region = wholeOf(work);
    await writeCutOut(work, { source, options: { mask_only: false }, region, path, signal, isFilled: false });
    return confidence;
  });
}
