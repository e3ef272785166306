import { creditsPerFile } from "@tintype/contract";
import { judgePicture } from "./judge-picture.ts";
import type { Picture } from "./picture.ts";
import { stepNames } from "./steps.ts";
import { isRunOf, type StudioState, type ToolSettings } from "./studio-state.ts";

/**
 * Pictures that a submit is about: those that can go to the tool; with the settings of the last run only those it has
 * not finished, else all.
 */
export function picturesToSend(state: StudioState): readonly Picture[] {
  const able = state.pictures.filter((picture) => picture.file !== undefined && !judgePicture(picture, state));
  if (!state.run || !isRunOf(state.run, state)) return able;
  const open = able.filter(({ outcome }) => outcome.kind !== "done" && outcome.kind !== "unchanged");
  return open.length === 0 ? able : open;
}

/** Credits that each picture costs. */
export const priceOf = ({ tool, others }: Pick<ToolSettings, "tool" | "others">): number =>
  creditsPerFile(stepNames({ tool, others }).map((operation) => ({ operation })));

/** Credits that a submit would take now, for the pictures whose results are not here already. */
export function costOf(state: StudioState): number {
  return priceOf(state) * picturesToSend(state).filter(({ id }) => !state.knownIds.has(id)).length;
}
