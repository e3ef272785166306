import type { Report } from "../schemas/job.ts";
import type { FileState } from "./job-state.ts";
import type { TaskName } from "./operations/index.ts";

/** A file as input to its report. The result's `name` is its name in the ZIP. */
export type ReportedFile = {
  name: string;
  sizeBytes: number;
  state: FileState;
  reason?: string | undefined;
  /** The error code of a failed file. */
  code?: string | undefined;
  result?: ReportedResult | undefined;
  notes: readonly string[];
  noteCodes?: readonly { code: string }[] | undefined;
  confidence?: number | undefined;
};

type ReportedResult = Judged & { name: string; sizeBytes: number; width: number; height: number; nothingSaved?: true };
/**
 * Quality measures of a result. For a cut-out: the confidence of each candidate, and whether a large part of a person may be missing.
 * For a compressed picture with measured likeness: its SSIMULACRA 2.1 score, 100 at most.
 */
type Judged = { candidates?: readonly number[]; incomplete?: true; likeness?: number };

export const judgedView = ({ candidates, incomplete, likeness }: Judged) => ({
  ...(likeness === undefined ? {} : { likeness }),
  ...(candidates ? { candidates: { count: candidates.length, shown: 1, confidences: [...candidates] } } : {}),
  ...(incomplete ? { incomplete: true as const } : {}),
});

/** `report.json`: a row for each file. It contains no times, so the same request gives the same bytes. */
export const reportOf = ({ operation, files }: { operation: TaskName; files: readonly ReportedFile[] }): Report => ({
  operation,
  files: files.map(reportRow),
});

export function reportRow(file: ReportedFile): Report["files"][number] {
  const { name, result, reason, code, notes, noteCodes, confidence, sizeBytes, state } = file;
  return {
    file: name,
    outcome: state === "done" || state === "unchanged" ? state : "failed",
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(result
      ? { result: result.name, result_bytes: result.sizeBytes, width: result.width, height: result.height }
      : {}),
    ...(result?.nothingSaved ? { nothing_saved: true } : {}),
    source_bytes: sizeBytes,
    notes: [...notes],
    ...(noteCodes ? { note_codes: [...noteCodes] } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(result ? judgedView(result) : {}),
  };
}
