import { hasAlpha, type Raster, shapeOf } from "@tintype/codecs/raster";
import type { Source } from "../formats/open-source.ts";
import { openWithLibvips } from "../formats/open-with-libvips.ts";
import type { PngRows } from "../formats/png/pack-rows.ts";
import type { ModelId } from "../model/catalogue.ts";
import type { Models } from "../model/session.ts";
import { createPictureFile, type PictureFile } from "../raster/picture-file.ts";
import { readPicture } from "../raster/read-picture.ts";
import type { RunContext } from "../task.ts";
import { bleedColours } from "./bleed-colours.ts";
import { enlargePicture } from "./enlarge-picture.ts";
import type { ScaleFactor } from "./result-size.ts";

type Passes = {
  /** The colours of its transparent pixels are overwritten. */
  picture: Raster;
  passes: readonly Pass[];
  profile: Uint8Array | undefined;
  /** The path of the raw result, and the prefix of other temporary names. */
  temporaryPath: string;
  models: Models;
  context: RunContext;
};

/** A picture on disk: readable like any other, and row by row. */
export type Enlarged = { source: Source; rows: PngRows };

/**
 * Runs the models one after the other and passes the last result to `work`, as a picture on disk that is deleted when
 * the work has ended. Memory holds only a pass's input: the source, or a first result with a quarter of the final
 * pixels.
 */
export async function runPasses<T>(all: Passes, work: (enlarged: Enlarged) => Promise<T>): Promise<T> {
  const [pass, ...later] = all.passes;
  if (!pass) throw new Error("there is nothing to run");
  const share = shareOf(later);
  const file = await runPass(pass, { ...all, share }, `${all.temporaryPath}.${later.length}`);
  try {
    const source = await openWithLibvips({
      file: { path: file.path, sizeBytes: 0 },
      format: "tiff",
      limits: unlimited,
    });
    if (later.length === 0) return await work({ source, rows: { ...file, profile: all.profile } });
    const picture = await readPicture(source.read(), source);
    return await runPasses({ ...all, picture, passes: later, context: restOf(all.context, share) }, work);
  } finally {
    file.remove();
  }
}

const unlimited = { megapixelsIn: Number.POSITIVE_INFINITY, megapixelsOut: Number.POSITIVE_INFINITY };

async function runPass(
  pass: Pass,
  { picture, profile, models, context, share }: Passes & { share: number },
  path: string,
): Promise<PictureFile> {
  const { signal, progress } = context;
  if (hasAlpha(picture.channels)) bleedColours(picture);
  return models.use(
    pass.id,
    async (model) => {
      const { scale } = pass;
      const size = { width: picture.width * scale, height: picture.height * scale };
      const file = createPictureFile(path, { ...shapeOf(picture), ...size, profile });
      try {
        const report = (fraction: number) => progress({ fraction: fraction * share, stage: "enlarging" });
        await enlargePicture(model, { picture, file, scale, signal, progress: report });
      } catch (problem) {
        file.remove();
        throw problem;
      }
      return file;
    },
    { signal, onStage: (stage) => progress({ fraction: 0, stage }) },
  );
}

/**
 * A pass's share of all work: each later pass has 16 times the pixels of the x4 pass before it, at about the same cost
 * a pixel.
 */
const shareOf = (later: readonly Pass[]) => 1 / 17 ** later.length;

const restOf = ({ signal, progress }: RunContext, done: number): RunContext => ({
  signal,
  progress: ({ fraction, ...report }) => progress({ fraction: done + fraction * (1 - done), ...report }),
});

/** A kind of picture; `sharper` adds detail for looks. */
export type PictureKind = "clean" | "compressed" | "sharper";
export type PassRequest = { factor: ScaleFactor; kind: PictureKind; depth: 8 | 16 };

/** One run of one model over the whole picture. An x4 model with a `scale` of 2 is averaged down afterwards. */
type Pass = { id: ModelId; scale: 2 | 4 };

/**
 * The models to run, in order: x8 is x4, then x2. The output of a first pass is clean and sharp, so only the first
 * model depends on the kind. Quantised networks work on 8 bits; ids that end in "16bit" preserve 16.
 */
export function passesFor({ factor, kind, depth }: PassRequest): Pass[] {
  const scales: readonly (2 | 4)[] = factor === 8 ? [4, 2] : [factor];
  const deep = depth === 16 ? "-16bit" : "";
  return scales.map((scale, i) => {
    if (kind === "clean" || i > 0) return { id: `upscale-x${scale}${deep}`, scale };
    return kind === "sharper"
      ? { id: `upscale-x4-sharper${deep}`, scale }
      : { id: `upscale-x${scale}-compressed${deep}`, scale };
  });
}
