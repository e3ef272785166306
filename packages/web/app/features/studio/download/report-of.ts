import type { OperationName, Report } from "@tintype/contract";
import type { Picture } from "../state/picture.ts";

/** What `report.json` says: the contract's report, one row a picture; `names` are the results' names in the ZIP. */
export function reportOf(
  operation: OperationName,
  pictures: readonly Picture[],
  names: ReadonlyMap<Picture, string>,
): Report {
  return { operation, files: pictures.flatMap((picture) => rowOf(picture, names.get(picture)) ?? []) };
}

function rowOf(
  { name, sizeBytes, outcome }: Picture,
  resultName: string | undefined,
): Report["files"][number] | undefined {
  const source = { file: name, source_bytes: sizeBytes };
  switch (outcome.kind) {
    case "done": {
      const { sizeBytes: result_bytes, sides } = outcome.result;
      const { notes, confidence } = outcome;
      return {
        ...source,
        outcome: "done",
        ...(resultName !== undefined && { result: resultName }),
        result_bytes,
        width: sides.widthPx,
        height: sides.heightPx,
        notes: [...notes],
        ...(confidence !== undefined && { confidence }),
      };
    }
    case "unchanged":
      return { ...source, outcome: "unchanged", reason: outcome.reason, notes: [] };
    case "failed":
      return { ...source, outcome: "failed", reason: outcome.reason, notes: [] };
    case "cancelled":
      return { ...source, outcome: "failed", reason: "The batch was cancelled.", notes: [] };
    default:
      return undefined;
  }
}
