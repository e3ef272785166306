import { isPrivate } from "../../../../lib/brand.ts";
import { countOf, formatBytes, formatChange, formatSides } from "../../../../lib/size.ts";
import { isDoubtful, notesOf } from "../../state/cut-out-remarks.ts";
import { isDrawn, type Picture } from "../../state/picture.ts";
import { isRecipe } from "../../state/steps.ts";
import type { Run } from "../../state/studio-state.ts";
import { summarise } from "../../state/summary.ts";

type EndedRun = Extract<Run, { phase: "ended" }>;

/** The headline of a run's outcome: what the tool has achieved, in figures if it has any. */
export function endHeadline({ tool, steps, ending }: EndedRun, pictures: readonly Picture[]): string {
  const { done, failed, unchanged } = summarise(pictures);
  if (done === 0) {
    if (ending === "cancelled") return "Cancelled";
    if (pictures.some(({ outcome }) => outcome.kind === "held")) return "Check the result";
    if (pictures.some(isDiscarded)) return "Discarded";
    if (failed > 0) return failed === 1 ? "Failed" : "All failed";
    return unchanged > 0 ? "Nothing to do" : "Skipped";
  }
  const change = isAboutBytes({ tool, steps }) ? changeOf(pictures) : undefined;
  if (change) return change.charAt(0).toUpperCase() + change.slice(1);
  const result = done === 1 ? pictures.find(({ outcome }) => outcome.kind === "done")?.outcome : undefined;
  if (result?.kind !== "done") return `${countOf(done, "image")} done`;
  if (tool === "remove-background") return "Background removed";
  return formatSides(result.result.sides.widthPx, result.result.sides.heightPx);
}

/** The change in bytes over all results comparable with their originals; undefined if there are none. */
function changeOf(pictures: readonly Picture[]): string | undefined {
  const { done, beforeBytes, afterBytes } = summarise(pictures.filter((picture) => !isDrawn(picture)));
  return done > 0 ? formatChange(beforeBytes, afterBytes) : undefined;
}

const isDiscarded = ({ outcome }: Picture): boolean => outcome.kind === "cancelled" && outcome.isDiscarded === true;

/** Whether the change in bytes is the key figure: it is for compress and convert, and the only one common to all recipes. */
export const isAboutBytes = ({ tool, steps }: Pick<Run, "tool" | "steps">): boolean =>
  tool === "compress" || tool === "convert" || isRecipe({ steps });

/** The line below the headline: bytes, counts and, for a single picture, the engine's remarks. */
export function endDetail({ tool, steps }: Run, pictures: readonly Picture[]): string {
  const { done, failed, unchanged, cancelled, beforeBytes, afterBytes } = summarise(pictures);
  const isMany = pictures.length > 1;
  const held = pictures.filter(({ outcome }) => outcome.kind === "held").length;
  const discarded = pictures.filter(isDiscarded).length;
  const parts = [
    isMany && isAboutBytes({ tool, steps }) && changeOf(pictures) && `${countOf(done, "image")} done`,
    done > 0 && beforeBytes > 0 && `${formatBytes(beforeBytes)} to ${formatBytes(afterBytes)}`,
    isMany && failed > 0 && `${failed} failed`,
    isMany && unchanged > 0 && `${unchanged} unchanged`,
    isMany && held > 0 && `${held} to check`,
    isMany && discarded > 0 && `${discarded} discarded`,
    isMany && cancelled > discarded && `${cancelled - discarded} cancelled`,
    !isMany && pictures.flatMap(remarksOf).join(" "),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** `1 credit · 4 of 5 left`; without figures that the server has not reported. */
export function creditSentence({ ids, reusedIds, charged }: EndedRun, left: string | undefined): string {
  const parts = [
    reusedIds.length > 0 && (ids.length === 0 ? "Up to date" : `${reusedIds.length} already done`),
    ids.length > 0 && charged !== undefined && countOf(charged, "credit"),
    (reusedIds.length > 0 || charged !== undefined) && left,
  ];
  return parts.filter((part) => typeof part === "string").join(" · ");
}

/** The remarks on one picture. */
export function remarksOf({ outcome }: Picture): readonly string[] {
  switch (outcome.kind) {
    case "done":
      return isDoubtful(outcome) ? ["Check the result before you use it.", ...outcome.notes] : notesOf(outcome);
    case "held":
      return outcome.notes;
    case "cancelled":
      return outcome.isDiscarded ? [isPrivate ? "Discarded." : "Discarded. Its credit is back."] : [];
    case "failed":
    case "unchanged":
      return [outcome.reason];
    default:
      return [];
  }
}
