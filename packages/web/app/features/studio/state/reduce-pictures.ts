import { defaultQualities, type OperationName } from "@tintype/contract";
import { copyFrame, type Frame } from "./frame.ts";
import { hasPages } from "./page.ts";
import { isBusy, type Picture, type PictureId } from "./picture.ts";
import { reduceSetup } from "./reduce-setup.ts";
import type { Settings, ToolSettings } from "./settings.ts";
import { isRecipe } from "./steps.ts";
import type { PictureEvent, SetupEvent } from "./studio-event.ts";
import { isRunning, type StudioState } from "./studio-state.ts";

/** Adds, removes, selects and saves pictures. A picture in a running batch cannot be removed. Other events go to `reduceSetup`. */
export function reducePictures(state: StudioState, event: SetupEvent | PictureEvent): StudioState {
  switch (event.type) {
    case "tool-chosen":
      return state.tool === event.tool ? state : withInputOf(event.tool, reduceSetup(state, event));
    case "pictures-added": {
      const pictures = [...state.pictures, ...event.pictures];
      const selectedId = state.selectedId ?? pictures[0]?.id;
      const settings = pictures.length > 0 ? withDefaultQuality(state.settings) : state.settings;
      return { ...state, settings, pictures, selectedId, refusals: event.refusals, obstacle: undefined };
    }
    case "start-requested":
      return { ...state, toStart: new Set([...state.toStart, ...event.ids]) };
    case "refusals-read":
      return { ...state, refusals: [] };
    case "pictures-removed":
      return withoutPictures(state, (picture) => event.ids.includes(picture.id));
    case "pictures-cleared":
      return { ...withoutPictures(state, () => true), refusals: [] };
    case "removal-undone":
      return withLatestRemovalUndone(state);
    case "removals-accepted":
      return { ...state, removals: [] };
    case "picture-judged":
      return withFacts(state, event.id, (picture) => ({ ...picture, fault: picture.fault ?? event.fault }));
    case "picture-fetched":
      return withFacts(state, event.id, (picture) => ({ ...picture, ...event.picture }));
    case "picture-selected":
      // A list with deferred rendering may still show a removed picture.
      return state.pictures.some(({ id }) => id === event.id) ? { ...state, selectedId: event.id } : state;
    case "grid-changed":
      return {
        ...state,
        grid: { ...state.grid, ...event.grid },
        // Nothing is done to pictures that another group hides.
        selection: event.grid.group === undefined ? state.selection : new Set(),
      };
    case "source-drawn":
      return withPicture(state, event.id, (picture) => ({
        ...picture,
        preview: event.preview,
        // Pages of a document differ in size, which only a run reports.
        sides: hasPages(picture) ? undefined : (event.sides ?? picture.sides),
      }));
    case "result-drawn":
      return withResult(state, [event.id], { preview: event.preview });
    case "names-set":
      return { ...state, namePattern: event.pattern };
    case "result-edited":
      return withResult(state, [event.id], event.result);
    case "outcome-changed":
      return withPicture(state, event.id, (picture) => withOutcome(picture, event));
    case "results-saved":
      return withResult(state, event.ids, { isSaved: true });
    case "results-cached":
      return withResult(state, event.ids, { isCached: true });
    case "prices-found":
      return { ...state, ...event.found };
    case "recent-known":
      return { ...state, recent: event.recent };
    case "selection-changed":
      return { ...state, selection: event.ids, obstacle: undefined };
    case "custom-options-set": {
      const { ids, tool, settings } = event;
      const pictures = state.pictures.map((picture) =>
        ids.includes(picture.id)
          ? { ...picture, customOptions: withCustomOptions(picture.customOptions, { tool, settings }) }
          : picture,
      );
      return { ...state, pictures, obstacle: undefined };
    }
    case "frame-changed":
      return {
        ...withPicture(state, event.id, (picture) => ({ ...picture, frame: event.frame })),
        obstacle: undefined,
      };
    case "frame-copied":
      return withFrameCopied(state, event.id);
    case "results-adopted": {
      // Drops pictures that ended without a result. Unsent pictures and those with held results stay.
      const pictures = state.pictures.filter(({ outcome }) => ["done", "none", "held"].includes(outcome.kind));
      return withResultsAsPictures({ ...state, pictures, selection: new Set(), removals: [] });
    }
    case "originals-chosen":
      return withOriginals(state);
    default:
      return reduceSetup(state, event);
  }
}

/**
 * After a run, choosing another tool makes the results its input, and choosing the run's tool again restores the pictures from before.
 * In a recipe only the tool of the current step changes.
 */
function withInputOf(tool: OperationName, state: StudioState): StudioState {
  if (isRecipe(state) || isRunning(state)) return state;
  const { run, earlierRuns, pictures } = state;
  if (!run) return earlierRuns.at(-1)?.tool === tool ? withLatestOriginals(state) : state;
  const hasResults = pictures.some(({ outcome }) => outcome.kind === "done");
  return hasResults && run.tool !== tool && !isRecipe(run) ? withResultsAsPictures(state) : state;
}

/** The state with one picture changed; the same state if no picture has that id. */
export function withPicture(state: StudioState, id: PictureId, change: (picture: Picture) => Picture): StudioState {
  const index = state.pictures.findIndex((picture) => picture.id === id);
  const picture = state.pictures[index];
  if (!picture) return state;
  return { ...state, pictures: state.pictures.with(index, change(picture)) };
}

/** Changes a picture that may have been removed meanwhile, so that undoing the removal brings it back complete. */
function withFacts(state: StudioState, id: PictureId, change: (picture: Picture) => Picture): StudioState {
  const changed = withPicture(state, id, change);
  if (changed !== state) return changed;
  const removals = state.removals.map((removal) => ({
    ...removal,
    entries: removal.entries.map((one) => (one.picture.id === id ? { ...one, picture: change(one.picture) } : one)),
  }));
  return { ...state, removals };
}

/** A held result may belong to an original of the current picture. */
function withOutcome(picture: Picture, event: Extract<PictureEvent, { type: "outcome-changed" }>): Picture {
  const { outcome, original } = picture;
  const isTarget = !event.held || (outcome.kind === "held" && outcome.held.job === event.held.job);
  if (isTarget) return { ...picture, outcome: event.outcome };
  return original ? { ...picture, original: withOutcome(original, event) } : picture;
}

function withResult(state: StudioState, ids: readonly PictureId[], change: object): StudioState {
  const pictures = state.pictures.map((picture) =>
    ids.includes(picture.id) && picture.outcome.kind === "done"
      ? { ...picture, outcome: { ...picture.outcome, result: { ...picture.outcome.result, ...change } } }
      : picture,
  );
  return { ...state, pictures };
}

/** Most removals that can be undone. Each keeps its pictures' previews in memory. */
const maxRemovals = 10;

function withoutPictures(state: StudioState, isRemoved: (picture: Picture) => boolean): StudioState {
  const isTaken = (picture: Picture) => !isBusy(picture) && isRemoved(picture);
  const entries = state.pictures.flatMap((picture, index) => (isTaken(picture) ? [{ picture, index }] : []));
  if (entries.length === 0) return state;
  const pictures = state.pictures.filter((picture) => !isTaken(picture));
  const place = state.pictures.findIndex(({ id }) => id === state.selectedId);
  const isSelectedHere = pictures.some(({ id }) => id === state.selectedId);
  const selectedId = isSelectedHere
    ? state.selectedId
    : pictures[Math.min(Math.max(place, 0), pictures.length - 1)]?.id;
  const removal = {
    entries,
    selectedId: state.selectedId,
    selection: state.selection,
    run: state.run,
    earlierRuns: state.earlierRuns,
  };
  const removals = [...state.removals, removal].slice(-maxRemovals);
  const isEmpty = pictures.length === 0;
  const run = isEmpty ? undefined : state.run;
  const earlierRuns = isEmpty ? [] : state.earlierRuns;
  const selection = new Set(pictures.flatMap(({ id }) => (state.selection.has(id) ? id : [])));
  const grid: StudioState["grid"] = isEmpty ? { ...state.grid, isOpen: false, group: "all" } : state.grid;
  return { ...state, grid, pictures, selectedId, selection, run, earlierRuns, removals, obstacle: undefined };
}

/** Restores the pictures at their positions, and the run if no other one has started since. */
function withLatestRemovalUndone(state: StudioState): StudioState {
  const removal = state.removals.at(-1);
  if (!removal) return state;
  const pictures = removal.entries.reduce(
    (all, { picture, index }) => all.toSpliced(index, 0, picture),
    [...state.pictures],
  );
  const hasNewerRun = state.run !== undefined || state.pictures.length > 0;
  const { run, earlierRuns } = hasNewerRun ? state : removal;
  return {
    ...state,
    pictures,
    selectedId: removal.selectedId,
    selection: new Set([...state.selection, ...removal.selection]),
    run,
    earlierRuns,
    removals: state.removals.slice(0, -1),
    obstacle: undefined,
  };
}

function withCustomOptions(
  customOptions: Picture["customOptions"],
  { tool, settings }: { tool: OperationName; settings: ToolSettings | undefined },
): Picture["customOptions"] {
  const { [tool]: _, ...others } = customOptions ?? {};
  const next = settings ? { ...others, [tool]: settings } : others;
  return Object.keys(next).length > 0 ? next : undefined;
}

function withFrameCopied(state: StudioState, id: PictureId): StudioState {
  const source = state.pictures.find((picture) => picture.id === id);
  if (!source) return state;
  const { frame, sides: from } = source;
  const pictures = state.pictures.map((picture) => {
    const { sides: to } = picture;
    if (picture === source || isBusy(picture) || !picture.file) return picture;
    if (!frame || !from || !to) return { ...picture, frame: frame && framesAny(frame) ? frame : undefined };
    return { ...picture, frame: copyFrame(frame, { from, to }).frame };
  });
  return { ...state, pictures, obstacle: undefined };
}

/** Whether the frame applies to a picture of unknown size: a rotation or ratio does, a box does not. */
const framesAny = ({ crop }: Frame): boolean => crop === undefined || "ratio" in crop;

/**
 * Turns the results into the pictures and moves their run to `earlierRuns`. A picture without a result returns to its state before
 * the run. Each keeps its original.
 */
function withResultsAsPictures(state: StudioState): StudioState {
  const { run } = state;
  if (!run) return state;
  const pictures = state.pictures.map((original): Picture => {
    const { outcome } = original;
    if (outcome.kind !== "done") return { ...original, outcome: { kind: "none" }, original };
    const { blob, name, format, isAnimated, sides, sizeBytes, preview } = outcome.result;
    const file = new File([blob], name, { type: blob.type });
    return {
      id: original.id,
      name,
      sizeBytes,
      file,
      format,
      isAnimated,
      fault: undefined,
      preview,
      sides,
      customOptions: original.customOptions,
      outcome: { kind: "none" },
      original,
    };
  });
  const selectedId = pictures.some(({ id }) => id === state.selectedId) ? state.selectedId : pictures[0]?.id;
  const earlierRuns = [...state.earlierRuns, run];
  return { ...state, pictures, selectedId, run: undefined, earlierRuns, obstacle: undefined };
}

/** Undoes the latest `withResultsAsPictures`. */
function withLatestOriginals(state: StudioState): StudioState {
  const run = state.earlierRuns.at(-1);
  if (!run) return state;
  const pictures = state.pictures.map((picture) => picture.original ?? picture);
  return { ...state, pictures, run, earlierRuns: state.earlierRuns.slice(0, -1), obstacle: undefined };
}

/** Restores the pictures as first added, and the first run with its results. */
function withOriginals(state: StudioState): StudioState {
  const [run] = state.earlierRuns;
  if (!run) return state;
  const pictures = state.pictures.map(firstOriginal);
  return { ...state, pictures, run, earlierRuns: [], obstacle: undefined };
}

const firstOriginal = (picture: Picture): Picture => (picture.original ? firstOriginal(picture.original) : picture);

/** The quality is blank until there is a picture. One that was typed or emptied stays. */
function withDefaultQuality(settings: Settings): Settings {
  if (settings.compress.quality !== undefined) return settings;
  return { ...settings, compress: { ...settings.compress, quality: String(defaultQualities.compress) } };
}
