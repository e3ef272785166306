import type { Source } from "../formats/open-source.ts";
import { openWithLibvips } from "../formats/open-with-libvips.ts";
import type { Models } from "../model/session.ts";
import type { PixelRows } from "../raster/pixel-rows.ts";
import { createRawFile, rawRows, withTemporary } from "../raster/raw-file.ts";
import { readPicture } from "../raster/read-picture.ts";
import type { IntegerSamples, Raster } from "../raster/samples.ts";
import type { RunContext } from "../task.ts";
import { bleedColours } from "./bleed-colours.ts";
import { enlargePicture } from "./enlarge-picture.ts";
import type { Pass } from "./passes.ts";

type Passes = {
  /** Its colours under transparency are overwritten. */
  picture: Raster<IntegerSamples>;
  passes: readonly Pass[];
  profile: Uint8Array | undefined;
  /** Where the raw result may lie meanwhile, and names made from it. */
  temporaryPath: string;
  models: Models;
  context: RunContext;
};

/** A picture on disk: to be read like any other, and row by row. */
export type Enlarged = { source: Source; rows: PixelRows };

/**
 * Runs one model after the other and gives the last one's result to `work`, as a picture on disk that is gone when the
 * work has ended. Only what a pass reads is held in memory: the source, or a first result of a quarter of the pixels.
 */
export async function runPasses<T>(all: Passes, work: (enlarged: Enlarged) => Promise<T>): Promise<T> {
  const [pass, ...later] = all.passes;
  if (!pass) throw new Error("there is nothing to run");
  return withTemporary(`${all.temporaryPath}.${later.length}`, async (path) => {
    const enlarged = await runPass(pass, { ...all, share: shareOf(pass, later) }, path);
    if (later.length === 0) return work(enlarged);
    const picture = await readPicture(enlarged.source.read(), enlarged.source);
    return runPasses({ ...all, picture, passes: later, context: restOf(all.context, shareOf(pass, later)) }, work);
  });
}

async function runPass(
  pass: Pass,
  { picture, profile, models, context, share }: Passes & { share: number },
  path: string,
): Promise<Enlarged> {
  const { signal, progress } = context;
  const depth = picture.data instanceof Uint16Array ? 16 : 8;
  if (picture.hasAlpha) bleedColours(picture);
  const result = await models.use(
    pass.id,
    async (model) => {
      const { scale } = model.row.output;
      const channels = picture.channels as 1 | 2 | 3 | 4; // what sharp decodes to has no other
      const size = { width: picture.width * scale, height: picture.height * scale };
      const result = { ...size, channels, depth, profile } as const;
      const file = createRawFile(path, result);
      try {
        const report = (fraction: number) => progress({ fraction: fraction * share, stage: "Enlarging" });
        await enlargePicture(model, { picture, file, signal, progress: report });
      } finally {
        file.close();
      }
      return result;
    },
    { signal, onStage: (stage) => progress({ fraction: 0, stage }) },
  );
  const limits = { megapixelsIn: Number.POSITIVE_INFINITY, megapixelsOut: Number.POSITIVE_INFINITY };
  const source = await openWithLibvips({ path, sizeBytes: 0, format: "tiff", limits });
  return { source, rows: rawRows(path, result) };
}

/** What part of all work a pass is: each later one has 16 times the pixels of x4 before it, for about the same a pixel. */
const shareOf = (_: Pass, later: readonly Pass[]) => 1 / 17 ** later.length;

const restOf = ({ signal, progress }: RunContext, done: number): RunContext => ({
  signal,
  progress: ({ fraction, ...report }) => progress({ fraction: done + fraction * (1 - done), ...report }),
});
