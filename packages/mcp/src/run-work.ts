import { basename, dirname } from "node:path";
import { DomainError, isErrorCode } from "@tintype/contract";
import {
  createRunner,
  type Destination,
  type FileReport,
  type FoundPicture,
  makesSet,
  plain,
  quotePictures,
  targetOf,
  type Work,
} from "@tintype/toolkit";
import type { Call } from "./operation-schema.ts";
import { makePreview, type Preview } from "./preview.ts";
import type { Workspace } from "./workspace.ts";

// Models read the text of results: output schemas would only lengthen the tool list.
export type RunResult = {
  files: ReturnType<typeof rowOf>[];
  /** Credits that this call took. */
  credits: number;
  /** Where the pictures went. */
  where: string;
};

type RunWorkOptions = { signal: AbortSignal; onProgress?: (done: number, total: number, name: string) => void };

/** Processes files and writes their results. @throws DomainError before anything is done */
export async function runWork(
  place: Workspace,
  { work, call, defaultSuffix }: { work: Work; call: Call; defaultSuffix: string },
  { signal, onProgress }: RunWorkOptions,
): Promise<{ result: RunResult; preview: Preview | undefined }> {
  const { backend, cache, folders, concurrency, cap } = place;
  if (makesSet(work) && call.output_folder === undefined)
    throw new DomainError("invalid-request", {
      field: "output_folder",
      detail: "Set output_folder: a web set is several files.",
    });
  const suffix = call.suffix ?? (call.output_folder === undefined ? defaultSuffix : "");
  const pictures = await findSome(place, call.files, suffix);
  const out = call.output_folder === undefined ? undefined : await folders.target(call.output_folder);
  const destination: Destination = { out, suffix };
  // A link below the output folder may lead out of it.
  for (const picture of pictures) await folders.target(dirname(targetOf(picture, basename(picture.path), destination)));

  const { credits, refusals } = await quotePictures(pictures, { work, backend, cache });
  const refusal = refusals.find(({ path }) => path === null);
  if (refusal)
    throw new DomainError(isErrorCode(refusal.code) ? refusal.code : "invalid-request", { detail: refusal.detail });
  const settle = cap.hold(credits);
  const reports: FileReport[] = [];
  try {
    const shares = new Map<string, number>();
    const reportProgress = (path: string, fraction: number) => {
      shares.set(path, fraction);
      const done = [...shares.values()].reduce((sum, share) => sum + share, 0);
      onProgress?.(done, pictures.length, basename(path));
    };
    const runner = createRunner({
      backend,
      cache,
      work,
      destination,
      concurrency,
      signal,
      onProgress: reportProgress,
      onEnd: (report) => {
        reports.push(report);
        reportProgress(report.path, 1);
      },
    });
    const ended = await runner.run(pictures);
    const [shown] = call.preview && !makesSet(work) ? ended.flatMap(({ resultPath }) => resultPath ?? []) : [];
    return {
      result: { files: ended.map(rowOf), credits: creditsOf(ended), where: backend.locationNote },
      preview: shown === undefined ? undefined : await makePreview(shown, { engine: place.engine, cache, signal }),
    };
  } finally {
    settle(creditsOf(reports));
  }
}

/** @throws not-found if there are none */
export async function findSome(
  { folders }: Workspace,
  files: readonly string[],
  suffix: string,
): Promise<FoundPicture[]> {
  const pictures = await folders.pictures(files, suffix);
  if (pictures.length > 0) return pictures;
  throw new DomainError("not-found", { detail: "There is no picture at these paths." });
}

const creditsOf = (reports: readonly FileReport[]): number => reports.reduce((sum, { credits }) => sum + credits, 0);

const rowOf = ({ path, outcome, sourceBytes, notes, resultPath, resultBytes, ...report }: FileReport) => ({
  path,
  outcome,
  source_bytes: sourceBytes,
  notes: [...notes],
  result_path: resultPath,
  result_bytes: resultBytes,
  /** Of the result, px. */
  width: report.width,
  height: report.height,
  confidence: report.confidence,
  likeness: report.likeness,
  reason: report.reason,
  code: report.code,
});

/** The result as text: a line for each file, and for each of its notes. Hosts may show a model nothing else. */
export function describeResult({ files, credits, where }: RunResult): string {
  const lines = files.flatMap(({ notes, confidence, likeness, ...file }) => [
    fileLine(file),
    ...(confidence === undefined ? [] : [`  Confidence: ${confidence.toFixed(2)} of 1.`]),
    ...(likeness === undefined ? [] : [`  Likeness: ${likeness.toFixed(2)} of 100 (SSIMULACRA 2.1).`]),
    ...notes.map((note) => `  ${note}`),
  ]);
  return [...lines.map(plain), where, ...(credits > 0 ? [`Credits taken: ${credits}.`] : [])].join("\n");
}

type FileRow = Omit<RunResult["files"][number], "notes" | "confidence" | "likeness">;

function fileLine({ path, outcome, reason, result_path, source_bytes, result_bytes, width, height }: FileRow): string {
  if (outcome === "done" && result_path !== undefined)
    return `${path}: ${source_bytes} bytes became ${result_bytes} bytes, ${width} x ${height} px, at ${result_path}.`;
  const copied = outcome === "unchanged" && result_path !== undefined ? ` Copied to ${result_path}.` : "";
  return `${path}: ${outcome}. ${reason ?? ""}`.trim() + copied;
}
