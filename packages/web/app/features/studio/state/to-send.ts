import { judgePicture } from "./judge-picture.ts";
import { isSameOrder, orderOf, priceOf } from "./order.ts";
import type { Picture } from "./picture.ts";
import { isRunning, type StudioState } from "./studio-state.ts";

/** The selected pictures, or all where none of them is selected. */
export function chosenPictures({
  pictures,
  selection,
}: Pick<StudioState, "pictures" | "selection">): readonly Picture[] {
  const chosen = pictures.filter(({ id }) => selection.has(id));
  return chosen.length > 0 ? chosen : pictures;
}

/**
 * Pictures that a submit is about: of the chosen ones those that can go to the tool and that the present options have not finished; if there is none,
 * all that can go. A damaged file is sent again only where it is all there is. A new run would replace a result that is held: such a
 * picture waits until the person has kept or discarded it.
 */
export function picturesToSend(state: StudioState): readonly Picture[] {
  const able = chosenPictures(state).filter(
    (picture) => picture.file !== undefined && picture.outcome.kind !== "held" && !judgePicture(picture, state),
  );
  const whole = able.filter((picture) => !isDamaged(picture) || isChanged(state, picture));
  const open = whole.filter(
    (picture) => isChanged(state, picture) || (picture.outcome.kind !== "done" && picture.outcome.kind !== "unchanged"),
  );
  return [open, whole].find(({ length }) => length > 0) ?? able;
}

const isDamaged = ({ outcome }: Picture) => outcome.kind === "failed" && outcome.code === "broken-image";

/** Whether a picture was last worked on with other options than the present ones. What is not known counts as the same. */
function isChanged(state: StudioState, picture: Picture): boolean {
  const order = state.run?.orders.get(picture.id);
  return order !== undefined && !isSameOrder(order, orderOf(state, picture));
}

/** The pictures that did not fit the limit of bytes, which is still the same. */
export const unfitting = (state: StudioState): readonly Picture[] =>
  state.pictures.filter(
    (picture) => picture.outcome.kind === "failed" && picture.outcome.smallestBytes && !isChanged(state, picture),
  );

/** Whether there is something to send: pictures, or options that the last run did not work with. */
export function isStale(state: StudioState): boolean {
  const { run, pictures } = state;
  if (pictures.length === 0) return false;
  if (!run || run.tool !== state.tool) return true;
  return picturesToSend(state).some((picture) => picture.outcome.kind === "none" || isChanged(state, picture));
}

/** Credits that a submit would take now, for the pictures whose results are not here already; of a run under way its own. */
export function costOf(state: StudioState): number {
  if (state.run && isRunning(state)) return priceOf(state.run.steps) * state.run.ids.length;
  return priceOf(state.steps) * picturesToSend(state).filter(({ id }) => !state.knownIds.has(id)).length;
}
