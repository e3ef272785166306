import type { ReportedFile } from "@tintype/contract";
import type { Picture } from "../../state/picture.ts";

/** A picture as `report.json` needs it, `resultName` being its result's name in the ZIP; undefined before its run ended. */
export function reportedFile(
  { name, sizeBytes, outcome }: Picture,
  resultName: string | undefined,
): ReportedFile | undefined {
  const source = { name, sizeBytes, notes: [] };
  switch (outcome.kind) {
    case "done": {
      const { result, notes, confidence } = outcome;
      const { widthPx: width, heightPx: height } = result.sides;
      return {
        ...source,
        state: "done",
        result: { name: resultName ?? result.name, sizeBytes: result.sizeBytes, width, height },
        notes,
        confidence,
      };
    }
    case "unchanged":
    case "failed":
      return { ...source, state: outcome.kind, reason: outcome.reason };
    case "cancelled":
      return { ...source, state: "cancelled", reason: "The batch was cancelled." };
    default:
      return undefined;
  }
}
