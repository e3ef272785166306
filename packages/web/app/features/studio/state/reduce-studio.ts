import { announcementsOf } from "./announcements.ts";
import { reducePictures } from "./reduce-pictures.ts";
import { reduceRun } from "./reduce-run.ts";
import { reduceSetup, withSourceFormat } from "./reduce-setup.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** How many announcements the live region keeps. */
const keptAnnouncements = 8;

/** The studio's state machine: every change of what the page shows is an event that passes here. */
export function reduceStudio(state: StudioState, event: StudioEvent): StudioState {
  const next = reduce(state, event);
  const sentences = announcementsOf(event, state, next);
  if (sentences.length === 0) return next;
  const lastId = next.announcements.at(-1)?.id ?? 0;
  const added = sentences.map((sentence, index) => ({ id: lastId + 1 + index, sentence }));
  return { ...next, announcements: [...next.announcements, ...added].slice(-keptAnnouncements) };
}

function reduce(state: StudioState, event: StudioEvent): StudioState {
  switch (event.type) {
    case "tool-chosen":
    case "steps-chosen":
    case "setting-changed":
    case "own-options-set":
    case "frame-changed":
    case "format-detected":
    case "format-unknown":
    case "caller-known":
    case "usage-remembered":
    case "allowance-known":
    case "obstacle-met":
      return reduceSetup(state, event);
    case "pictures-added":
    case "refusals-read":
    case "picture-removed":
    case "pictures-removed":
    case "pictures-cleared":
    case "removal-undone":
    case "removals-accepted":
    case "picture-selected":
    case "picture-judged":
    case "picture-fetched":
    case "source-drawn":
    case "result-drawn":
    case "names-set":
    case "result-edited":
    case "results-saved":
    case "results-kept":
    case "known-results-found":
    case "recent-known":
    case "results-adopted": {
      const next = reducePictures(state, event);
      // The detected format was that of a picture which is no longer the first.
      return next.pictures[0]?.id === state.pictures[0]?.id || state.pictures.length === 0
        ? next
        : withSourceFormat(next, "");
    }
    default:
      return reduceRun(state, event);
  }
}
