import { rm } from "node:fs/promises";
import { auxiliaryFilesOf, DomainError, formatNamed, noteText, reasonText } from "@tintype/contract";
import {
  addStep,
  metadataOf,
  nameStep,
  type Outcome,
  type PictureLimits,
  pageForStep,
  predictStep,
  standInOf,
  type Task,
} from "@tintype/imaging";
import type { Backend, BackendRun, Facts, FileFacts, FileResult, NamedRecipe, Quote, Work } from "../backend.ts";
import { shippedRecipes } from "../work.ts";
import { engineVersion } from "./engine-version.ts";
import { type Engines, engineHere, engineProcesses } from "./engines.ts";
import { type Networks, needsNetwork } from "./networks.ts";

type OfflineOptions = {
  /** Pictures processed at a time. `1` runs in this process and starts no other. */
  concurrency: number;
  networks: Networks;
  /** Recipes of a configuration, which precede the built-in ones. */
  recipes?: readonly NamedRecipe[];
};

/** No plan applies on one's own computer; the limit keeps a forged header from exhausting its memory. */
const limits: PictureLimits = { megapixelsIn: 1_000, megapixelsOut: 1_000 };

/** This computer, with the engine that servers of the same version run: results are byte-identical. */
export function openOffline({ concurrency, networks, recipes = [] }: OfflineOptions): Backend {
  let opened: Promise<Engines> | undefined;
  let version: string | undefined;
  const engines = () => {
    opened ??= networks
      .config()
      .then((models) => (concurrency === 1 ? engineHere(models) : engineProcesses(models, concurrency)));
    return opened;
  };
  return {
    kind: "offline",
    locationNote: "Pictures stay on this computer.",
    version: async () => {
      version ??= `offline ${engineVersion()}`;
      return version;
    },
    async run(run) {
      await requireNetworks(run.work, networks);
      return runSteps(run, await engines());
    },
    quote: async (work, files) => quoteOf(work, files),
    recipes: async () => [...recipes, ...shippedRecipes()],
    close: async () => (await opened)?.close(),
  };
}

/** @throws unavailable, with the command that installs what is missing */
async function requireNetworks(work: Work, networks: Networks): Promise<void> {
  const operations = work.steps.map(({ operation }) => operation).filter(needsNetwork);
  if (operations.length === 0 || (await networks.missing(operations)).length === 0) return;
  throw new DomainError("unavailable", {
    detail: `The networks for ${operations.join(" and ")} are not installed. Please run: tintype install ${operations.join(" ")}`,
  });
}

async function runSteps(
  { picture, work, resultPath, signal, progress }: BackendRun,
  engines: Engines,
): Promise<FileResult> {
  const { steps, auxiliaryPaths = {} } = work;
  const metadata = metadataOf(steps);
  let [path, standsFor]: [string, Facts["format"] | undefined] = [picture.path, undefined];
  let sum: Outcome | undefined;
  const parts: string[] = [];
  try {
    for (const [i, { operation, options }] of steps.entries()) {
      const isLast = i + 1 === steps.length;
      const outputPath = isLast ? resultPath : `${resultPath}.${i}`;
      parts.push(outputPath);
      const page = pageForStep(steps, i);
      const task: Task = {
        ...{
          name: operation,
          options,
          inputPath: path,
          pictureName: picture.name,
          outputPath,
          limits,
          isIntermediate: !isLast,
        },
        auxiliaryPaths: Object.fromEntries(
          auxiliaryFilesOf(operation).flatMap(({ field, role }) => {
            const { [field]: path } = auxiliaryPaths;
            return path === undefined ? [] : [[role, path]];
          }),
        ),
        ...(page === undefined ? {} : { page }),
        ...(standsFor === undefined ? {} : { standsFor }),
        ...(metadata === undefined ? {} : { metadata }),
      };
      const onProgress: BackendRun["progress"] = ({ fraction }) =>
        progress({ fraction: (i + fraction) / steps.length });
      const outcome = await engines.run(task, { signal, progress: onProgress }).catch((problem: unknown) => {
        throw nameStep(problem, { place: i + 1, operation, steps: steps.length });
      });
      sum = sum ? addStep(sum, outcome) : outcome;
      path = outputPath; // also for a step that had nothing to do: it has stripped metadata
      standsFor = standInOf(outcome);
    }
    if (!sum) throw new Error("The work has no step.");
    const { source, result } = sum;
    const notes = sum.notes.map(noteText);
    if (sum.kind === "unchanged") return { source, result, notes: [reasonText(sum.reason), ...notes], credits: 0 };
    const { confidence, likeness } = sum;
    return { source, result, notes, confidence, likeness, credits: 0 };
  } finally {
    for (const part of parts) if (part !== resultPath) await rm(part, { force: true });
  }
}

function quoteOf({ steps }: Work, files: readonly FileFacts[]): Quote {
  const refusals: Quote["refusals"][number][] = [];
  const losses: Quote["losses"][number][] = [];
  for (const [index, file] of files.entries()) {
    const { width, height, frames } = file;
    const format = formatNamed(file.format);
    let picture: Parameters<typeof predictStep>[1]["picture"] | undefined = format && { format, width, height, frames };
    if (!picture) {
      const { code, detail } = new DomainError("not-an-image");
      refusals.push({ index, code, detail });
      continue;
    }
    try {
      for (const step of steps) {
        const foreseen = predictStep(step, { picture, limits });
        losses.push(...foreseen.losses.map((loss) => ({ index, detail: noteText(loss) })));
        picture = foreseen.result ?? picture;
      }
    } catch (problem) {
      if (!(problem instanceof DomainError)) throw problem;
      refusals.push({ index, code: problem.code, detail: problem.detail });
    }
  }
  return { credits: 0, creditsPerFile: 0, refusals, losses };
}

/** Format and size of a picture from its header (for a document, of the page that the steps select), or why the engine would refuse it. */
export async function inspectPicture(path: string, steps: Work["steps"] | []): Promise<Facts | DomainError> {
  const { readFacts } = await import("@tintype/imaging/engine");
  try {
    return await readFacts(path, limits, pageForStep(steps, 0));
  } catch (problem) {
    if (problem instanceof DomainError) return problem;
    throw problem;
  }
}

/** Format and size of a picture from its header; undefined if the file is not a picture or cannot be read. */
export async function readPictureFacts(path: string): Promise<Facts | undefined> {
  const facts = await inspectPicture(path, []).catch((problem: unknown) => {
    if (problem instanceof Error && "syscall" in problem) return undefined;
    throw problem;
  });
  return facts instanceof DomainError ? undefined : facts;
}

/** The facts of a picture, and which metadata it has; undefined as for `readPictureFacts`. */
export async function readPictureDetails(
  path: string,
): Promise<(Facts & { hasExif: boolean; hasPlace: boolean }) | undefined> {
  const facts = await readPictureFacts(path);
  if (!facts) return undefined;
  const { findMetadata } = await import("@tintype/imaging/engine");
  return { ...facts, ...(await findMetadata(path)) };
}
