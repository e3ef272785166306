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
    case "pictures-cleared":
      return { ...withoutPictures(state, () => true), refusals: [] };
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
    case "results-saved":
      return withResult(state, event.ids, { isSaved: true });
    case "results-adopted":
      return { ...state, pictures: event.pictures, selectedId: event.pictures[0]?.id, run: undefined };
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

function withoutPictures(state: StudioState, isRemoved: (picture: Picture) => boolean): StudioState {
  const pictures = state.pictures.filter((picture) => isBusy(picture) || !isRemoved(picture));
  if (pictures.length === state.pictures.length) return state;
  const place = state.pictures.findIndex(({ id }) => id === state.selectedId);
  const isSelectedHere = pictures.some(({ id }) => id === state.selectedId);
  const selectedId = isSelectedHere
    ? state.selectedId
    : pictures[Math.min(Math.max(place, 0), pictures.length - 1)]?.id;
  const run = pictures.length === 0 ? undefined : state.run;
  return { ...state, pictures, selectedId, run, obstacle: undefined };
}
