import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCandidates, isIncomplete } from "../../packages/imaging/src/cutout/candidates.ts";
import { cleanMatte } from "../../packages/imaging/src/cutout/clean-matte.ts";
import { confidenceOf } from "../../packages/imaging/src/cutout/confidence.ts";
import { cutOut } from "../../packages/imaging/src/cutout/cut-out.ts";
import { findMatte, inferMatte, type MattePass } from "../../packages/imaging/src/cutout/find-matte.ts";
import { type Matte, sampleGrid } from "../../packages/imaging/src/cutout/matte.ts";
import { type Profile, type ProfileName, profiles } from "../../packages/imaging/src/cutout/profiles.ts";
import { openSource } from "../../packages/imaging/src/formats/open-source.ts";
import type { ModelId } from "../../packages/imaging/src/model/catalogue.ts";
import type { OpenModel } from "../../packages/imaging/src/model/inference.ts";
import type { Models } from "../../packages/imaging/src/model/session.ts";
import { decodeToFile, type PictureFile } from "../../packages/imaging/src/raster/picture-file.ts";
import { limits } from "../run-operation.ts";

const { signal } = new AbortController();

/** Mattes of one picture at its own size: the network's own, enlarged, and ours by each profile. */
export type CutPicture = {
  bare: Float32Array;
  ours: Map<ProfileName, Float32Array>;
  confidence: number;
  passes: MattePass[];
  /** For `auto_rembg`: the other candidates, and whether the result is reported as incomplete. */
  others: Float32Array[];
  isIncomplete: boolean;
};

/** The steps of the operation, with the network run once for all profiles. */
export async function cutPicture(path: string, { models, names }: { models: Models; names: readonly ProfileName[] }) {
  const folder = await mkdtemp(join(tmpdir(), "bench-cutout-"));
  const source = await openSource(path, limits);
  const answers = new Map<string, Float32Array>();
  const result: CutPicture = {
    bare: new Float32Array(),
    ours: new Map(),
    confidence: 0,
    passes: [],
    others: [],
    isIncomplete: false,
  };
  try {
    for (const name of names) {
      const work = await decodeToFile(source.read({ colour: "srgb" }).ensureAlpha(), join(folder, "work"));
      const whole = { left: 0, top: 0, width: work.width, height: work.height };
      const profile = profiles[name];
      const seen = { ...source, hasProfile: false, isGrey: false, depth: 8 as const };
      const context = {
        source: seen,
        models: remembering(models, answers),
        profile,
        signal,
        onPass: (pass: MattePass) => void (name === "auto_rembg" && result.passes.push(pass)),
      };
      if (result.bare.length === 0) result.bare = enlarge(await inferMatte(work, whole, context), whole);
      const found = await findMatte(work, context);
      result.ours.set(name, await alphaOf(work, { matte: cleanMatte(found.matte, profile), profile }));
      if (name === "auto_rembg") {
        result.confidence = confidenceOf(found);
        result.isIncomplete = isIncomplete(found, profile);
        work.remove();
        const again = await decodeToFile(source.read({ colour: "srgb" }).ensureAlpha(), join(folder, "work"));
        const [, ...others] = await findCandidates(again, { found, finding: context });
        again.remove();
        for (const { matte } of others) {
          const other = await decodeToFile(source.read({ colour: "srgb" }).ensureAlpha(), join(folder, "work"));
          result.others.push(await alphaOf(other, { matte, profile }));
          other.remove();
        }
      } else work.remove();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return result;
}

/** Cuts out the picture in place. Returns its alpha, 0..1. */
async function alphaOf(work: PictureFile, cutting: { matte: Matte; profile: Profile }): Promise<Float32Array> {
  await cutOut(work, { ...cutting, signal, onProgress: () => {} });
  const rows = work.readRows({ first: 0, count: work.height });
  return Float32Array.from({ length: work.width * work.height }, (_, i) => (rows[4 * i + 3] ?? 0) / 255);
}

/** Shares of the matte's cells that the person prior turns into subject, and that it or its darker pass changes by more than a tenth. */
export async function priorChanges(path: string, models: Models): Promise<{ added: number; changed: number }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-cutout-"));
  const source = await openSource(path, limits);
  const work = await decodeToFile(source.read({ colour: "srgb" }).ensureAlpha(), join(folder, "work"));
  try {
    const seen = { ...source, hasProfile: false, isGrey: false, depth: 8 as const };
    const asked = remembering(models, new Map());
    const context = { source: seen, profile: profiles.auto_rembg, signal, onPass: () => {} };
    const { values } = (await findMatte(work, { ...context, models: asked })).matte;
    const alone = { ...asked, useIfThere: async () => undefined };
    const { values: before } = (await findMatte(work, { ...context, models: alone })).matte;
    let [added, changed] = [0, 0];
    for (let cell = 0; cell < values.length; cell += 1) {
      const [own, other] = [values[cell] as number, before[cell] as number];
      if (own > 0.5 && other <= 0.5) added += 1;
      if (Math.abs(own - other) > 0.1) changed += 1;
    }
    return { added: added / values.length, changed: changed / values.length };
  } finally {
    work.remove();
    await rm(folder, { recursive: true });
  }
}

const enlarge = (matte: Matte, part: Matte["region"]) =>
  sampleGrid(matte.values, { matte, part, outside: 0 }).map((value) => Math.min(1, Math.max(0, value)));

/** Profiles look at the same parts of a picture: each network runs once per part. */
function remembering(models: Models, answers: Map<string, Float32Array>): Models {
  const remember =
    (id: ModelId, work: (model: OpenModel) => Promise<unknown>) =>
    (model: OpenModel): Promise<unknown> =>
      work({
        ...model,
        async run(input, size) {
          const key = `${id} ${input.reduce((sum, value, i) => sum + value * (1 + (i % 97)), 0)}`;
          const answer = answers.get(key) ?? (await model.run(input, size));
          answers.set(key, answer);
          return answer.slice();
        },
      });
  return {
    ...models,
    use: (id, work, context) => models.use(id, remember(id, work) as typeof work, context),
    useIfThere: (id, work, context) => models.useIfThere(id, remember(id, work) as typeof work, context),
  };
}
