import { isBusy, type Picture, type PictureId } from "./picture.ts";
import type { PictureEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** Pictures come, go, are looked at and saved. One that is being worked on stays until its run is over. */
export function reducePictures(state: StudioState, event: PictureEvent): StudioState {
  switch (event.type) {
    case "pictures-added": {
      const pictures = [...state.pictures, ...event.pictures];
      const selectedId = state.selectedId ?? pictures[0]?.id;
      return { ...state, pictures, selectedId, refusals: event.refusals, obstacle: undefined };
    }
    case "refusals-read":
      return { ...state, refusals: [] };
    case "picture-removed":
      return withoutPictures(state, (picture) => picture.id === event.id);
    case "pictures-removed":
      return withoutPictures(state, (picture) => event.ids.includes(picture.id));
    case "pictures-cleared":
      return { ...withoutPictures(state, () => true), refusals: [] };
    case "removal-undone":
      return withLatestRemovalUndone(state);
    case "removals-accepted":
      return { ...state, removals: [] };
    case "picture-judged":
      return withPicture(state, event.id, (picture) => ({ ...picture, fault: picture.fault ?? event.fault }));
    case "picture-fetched":
      return withPicture(state, event.id, (picture) => ({ ...picture, ...event.picture }));
    case "picture-selected":
      return { ...state, selectedId: event.id };
    case "source-drawn":
      return withPicture(state, event.id, (picture) => ({
        ...picture,
        preview: event.preview,
        sides: event.sides ?? picture.sides,
      }));
    case "result-drawn":
      return withResult(state, [event.id], { preview: event.preview });
    case "names-set":
      return { ...state, namePattern: event.pattern };
    case "result-edited":
      return withResult(state, [event.id], event.result);
    case "results-saved":
      return withResult(state, event.ids, { isSaved: true });
    case "results-kept":
      return withResult(state, event.ids, { isKept: true });
    case "known-results-found":
      return { ...state, knownIds: event.ids };
    case "recent-known":
      return { ...state, recent: event.recent };
    case "results-adopted":
      return { ...state, pictures: event.pictures, selectedId: event.pictures[0]?.id, run: undefined, removals: [] };
  }
}

/** The state with one picture changed; the same state where there is none of that id. */
export function withPicture(state: StudioState, id: PictureId, change: (picture: Picture) => Picture): StudioState {
  const index = state.pictures.findIndex((picture) => picture.id === id);
  const picture = state.pictures[index];
  if (!picture) return state;
  return { ...state, pictures: state.pictures.with(index, change(picture)) };
}

function withResult(state: StudioState, ids: readonly PictureId[], change: object): StudioState {
  const pictures = state.pictures.map((picture) =>
    ids.includes(picture.id) && picture.outcome.kind === "done"
      ? { ...picture, outcome: { ...picture.outcome, result: { ...picture.outcome.result, ...change } } }
      : picture,
  );
  return { ...state, pictures };
}

/** Removals that can be taken back, at most; each keeps its pictures' previews in memory. */
const keptRemovals = 10;

function withoutPictures(state: StudioState, isRemoved: (picture: Picture) => boolean): StudioState {
  const isTaken = (picture: Picture) => !isBusy(picture) && isRemoved(picture);
  const taken = state.pictures.flatMap((picture, index) => (isTaken(picture) ? [{ picture, index }] : []));
  if (taken.length === 0) return state;
  const pictures = state.pictures.filter((picture) => !isTaken(picture));
  const place = state.pictures.findIndex(({ id }) => id === state.selectedId);
  const isSelectedHere = pictures.some(({ id }) => id === state.selectedId);
  const selectedId = isSelectedHere
    ? state.selectedId
    : pictures[Math.min(Math.max(place, 0), pictures.length - 1)]?.id;
  const removal = { taken, selectedId: state.selectedId, run: state.run };
  const removals = [...state.removals, removal].slice(-keptRemovals);
  const run = pictures.length === 0 ? undefined : state.run;
  return { ...state, pictures, selectedId, run, removals, obstacle: undefined };
}

/** The pictures stand where they stood; the run comes back where none has begun since. */
function withLatestRemovalUndone(state: StudioState): StudioState {
  const removal = state.removals.at(-1);
  if (!removal) return state;
  const pictures = removal.taken.reduce(
    (all, { picture, index }) => all.toSpliced(index, 0, picture),
    [...state.pictures],
  );
  const isRunKept = state.run !== undefined || state.pictures.length > 0;
  return {
    ...state,
    pictures,
    selectedId: removal.selectedId,
    run: isRunKept ? state.run : removal.run,
    removals: state.removals.slice(0, -1),
    obstacle: undefined,
  };
}
