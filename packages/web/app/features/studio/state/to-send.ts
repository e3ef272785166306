import { creditsPerFile } from "@tintype/contract";
import { judgePicture } from "./judge-picture.ts";
import type { Picture } from "./picture.ts";
import { stepNames } from "./steps.ts";
import { isRunning, isRunOf, type StudioState, type ToolSettings } from "./studio-state.ts";

/**
 * Pictures that a submit is about: those that can go to the tool; with the settings of the last run only those it has
 * not finished, else all. A damaged file is sent again only where it is all there is.
 */
export function picturesToSend(state: StudioState): readonly Picture[] {
  const able = state.pictures.filter((picture) => picture.file !== undefined && !judgePicture(picture, state));
  if (!state.run || !isRunOf(state.run, state)) return able;
  const whole = able.filter((picture) => !isDamaged(picture));
  const open = whole.filter(({ outcome }) => outcome.kind !== "done" && outcome.kind !== "unchanged");
  return [open, whole].find(({ length }) => length > 0) ?? able;
}

const isDamaged = ({ outcome }: Picture) => outcome.kind === "failed" && outcome.code === "broken-image";

/** Whether there is something to send: pictures, or settings that the last run did not work with. */
export function isStale(state: StudioState): boolean {
  const { run, pictures } = state;
  if (pictures.length === 0) return false;
  // A batch that was found again may have come without its settings: they count as the present ones.
  if (!run || !isRunOf({ ...run, settings: run.settings ?? state.settings[state.tool] }, state)) return true;
  return picturesToSend(state).some(({ outcome }) => outcome.kind === "none");
}

/** Credits that each picture costs. */
export const priceOf = ({ tool, others }: Pick<ToolSettings, "tool" | "others">): number =>
  creditsPerFile(stepNames({ tool, others }).map((operation) => ({ operation })));

/** Credits that a submit would take now, for the pictures whose results are not here already; of a run under way its own. */
export function costOf(state: StudioState): number {
  if (state.run && isRunning(state)) return priceOf(state.run) * state.run.ids.length;
  return priceOf(state) * picturesToSend(state).filter(({ id }) => !state.knownIds.has(id)).length;
}
