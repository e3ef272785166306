import type { Report } from "@tintype/contract";
import type { FileRecord, JobRecord } from "../jobs/job.ts";

/** What became of each file, as `report.json` tells it. No times: the same request gives the same bytes. */
export function reportOf({ operation, files }: Pick<JobRecord, "operation" | "files">): Report {
  return { operation, files: files.map(reportRow) };
}

export function reportRow(file: FileRecord): Report["files"][number] {
  const { name, result, reason, notes, confidence, sizeBytes, state } = file;
  const outcome = state === "done" || state === "unchanged" ? state : "failed";
  return {
    file: name,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(result
      ? { result: result.name, result_bytes: result.sizeBytes, width: result.width, height: result.height }
      : {}),
    source_bytes: sizeBytes,
    notes,
    ...(confidence === undefined ? {} : { confidence }),
  };
}

/** JSON for a header: ASCII alone, so that any name can be in it. */
export const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
