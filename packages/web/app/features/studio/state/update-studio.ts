import { announcementsOf } from "./announcements.ts";
import { formOrder, isSameOrder } from "./order.ts";
import type { Picture } from "./picture.ts";
import { reducePictures } from "./reduce-pictures.ts";
import { reduceSetup, withSourceFormat } from "./reduce-setup.ts";
import { isRunEvent, type Step, stepRun } from "./run-machine.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** How many announcements the live region keeps. */
const maxAnnouncements = 8;

/** The studio's state machine: returns the state after an event and its side effects. */
export function updateStudio(state: StudioState, event: StudioEvent): Step {
  const next = step(state, event);
  return {
    ...next,
    state: withAnnouncements(
      withoutEnlarging(withFormatOfFirst(next.state, state), state),
      announcementsOf(event, state, next.state),
    ),
  };
}

function step(state: StudioState, event: StudioEvent): Step {
  if (isRunEvent(event)) return stepRun(state, event);
  const next = reducePictures(state, event);
  const isOfForm = event.type === "tool-chosen" || event.type === "steps-chosen" || event.type === "setting-changed";
  return { state: isOfForm ? withoutOtherStart(next, state) : next, effects: [] };
}

/** Added pictures start at once only with the options they were added with: a change of options clears `toStart`. */
const withoutOtherStart = (state: StudioState, before: StudioState): StudioState =>
  isSameOrder(formOrder(state), formOrder(before)) ? state : { ...state, toStart: new Set() };

/** Clears the detected format when another picture becomes the first. */
function withFormatOfFirst(state: StudioState, before: StudioState): StudioState {
  const [first, was] = [state.pictures[0], before.pictures[0]];
  return was === undefined || (first?.id === was.id && first.file === was.file) ? state : withSourceFormat(state, "");
}

/**
 * Resizing pictures of several sizes does not enlarge the small ones unless the user says so. Applies only before the first run:
 * afterwards the form would no longer match the options of the results.
 */
function withoutEnlarging(state: StudioState, before: StudioState): StudioState {
  const { pictures, run, earlierRuns, settings } = state;
  if (pictures === before.pictures || run || earlierRuns.length > 0) return state;
  const { enlarge = "" } = settings.resize;
  const next =
    pictures.length === 0 && enlarge === "false" ? "" : enlarge || (haveSeveralSizes(pictures) ? "false" : "");
  return next === enlarge
    ? state
    : reduceSetup(state, { type: "setting-changed", tool: "resize", patch: { enlarge: next } });
}

function haveSeveralSizes(pictures: readonly Picture[]): boolean {
  const [first, ...more] = pictures.flatMap(({ sides }) => sides ?? []);
  return more.some(({ widthPx, heightPx }) => widthPx !== first?.widthPx || heightPx !== first.heightPx);
}

function withAnnouncements(state: StudioState, sentences: readonly string[]): StudioState {
  if (sentences.length === 0) return state;
  const lastId = state.announcements.at(-1)?.id ?? 0;
  const added = sentences.map((sentence, index) => ({ id: lastId + 1 + index, sentence }));
  return { ...state, announcements: [...state.announcements, ...added].slice(-maxAnnouncements) };
}
