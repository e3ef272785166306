import { errors, type Report, reportRow } from "@tintype/contract";
import { candidateOf, confidenceOf, lacksPart, notesOf } from "../../state/cut-out-remarks.ts";
import type { Picture } from "../../state/picture.ts";

type ReportedFile = Report["files"][number];

/** A picture's row in `report.json`; undefined before its run has ended. `resultName` is the result's name in the ZIP. */
export function reportedFile(
  { name, sizeBytes, outcome }: Picture,
  resultName: string | undefined,
): ReportedFile | undefined {
  const source = { name, sizeBytes, notes: [] };
  switch (outcome.kind) {
    case "done": {
      const { result, candidates } = outcome;
      const { widthPx: width, heightPx: height } = result.sides;
      const row = reportRow({
        ...source,
        state: "done",
        result: {
          ...{ name: resultName ?? result.name, sizeBytes: result.sizeBytes, width, height },
          ...(candidates && { candidates }),
          ...(lacksPart(outcome) && { incomplete: true }),
        },
        notes: notesOf(outcome),
        confidence: confidenceOf(outcome),
      });
      return row.candidates ? { ...row, candidates: { ...row.candidates, shown: candidateOf(result) } } : row;
    }
    case "unchanged":
    case "failed":
      return reportRow({ ...source, state: outcome.kind, reason: outcome.reason });
    case "cancelled":
      return reportRow({
        ...source,
        state: "cancelled",
        ...(outcome.isDiscarded
          ? { reason: errors.discarded.detail, code: "discarded" }
          : { reason: "The batch was cancelled." }),
      });
    default:
      return undefined;
  }
}
