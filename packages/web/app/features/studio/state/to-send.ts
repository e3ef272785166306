import { judgePicture } from "./judge-picture.ts";
import { isSameOrder, orderOf, priceOf } from "./order.ts";
import type { Picture } from "./picture.ts";
import { isRunning, type StudioState } from "./studio-state.ts";

/** The selected pictures, or all if none is selected. */
export function chosenPictures({
  pictures,
  selection,
}: Pick<StudioState, "pictures" | "selection">): readonly Picture[] {
  const chosen = pictures.filter(({ id }) => selection.has(id));
  return chosen.length > 0 ? chosen : pictures;
}

/**
 * Pictures that a submit sends: the chosen ones that can be sent and have no result for the current options, or, if there are none,
 * all that can be sent. A damaged file is sent again only if there is nothing else. A picture with a held result is excluded until the
 * user has decided, since a new run would replace the result.
 */
export function picturesToSend(state: StudioState): readonly Picture[] {
  const sendable = chosenPictures(state).filter(
    (picture) => picture.file !== undefined && picture.outcome.kind !== "held" && !judgePicture(picture, state),
  );
  const undamaged = sendable.filter((picture) => !isDamaged(picture) || isChanged(state, picture));
  const unprocessed = undamaged.filter(
    (picture) => isChanged(state, picture) || (picture.outcome.kind !== "done" && picture.outcome.kind !== "unchanged"),
  );
  return [unprocessed, undamaged].find(({ length }) => length > 0) ?? sendable;
}

const isDamaged = ({ outcome }: Picture) => outcome.kind === "failed" && outcome.code === "broken-image";

/** Whether a picture was last processed with other options than the current ones. Unknown options count as the same. */
function isChanged(state: StudioState, picture: Picture): boolean {
  const order = state.run?.orders.get(picture.id);
  return order !== undefined && !isSameOrder(order, orderOf(state, picture));
}

/** Pictures that could not reach the target size, if it is still the same. */
export const overTargetSize = (state: StudioState): readonly Picture[] =>
  state.pictures.filter(
    (picture) => picture.outcome.kind === "failed" && picture.outcome.smallestBytes && !isChanged(state, picture),
  );

/** Whether there is something new to send: unsent pictures, or options that differ from the last run's. */
export function isStale(state: StudioState): boolean {
  const { run, pictures } = state;
  if (pictures.length === 0) return false;
  if (!run || run.tool !== state.tool) return true;
  return picturesToSend(state).some((picture) => picture.outcome.kind === "none" || isChanged(state, picture));
}

/**
 * Credits that a submit would cost now, without the pictures whose results exist already and those that are free to continue;
 * during a run, the run's credits.
 */
export function costOf(state: StudioState): number {
  if (state.run && isRunning(state)) return priceOf(state.run.steps) * state.run.ids.length;
  return (
    priceOf(state.steps) *
    picturesToSend(state).filter(({ id }) => !state.knownIds.has(id) && !state.freeIds?.has(id)).length
  );
}
