import type { InputFormat, OperationName } from "@tintype/contract";
import { reducePictures, withLatestOriginals, withResultsAsPictures } from "./reduce-pictures.ts";
import { isRecipe, writeStep } from "./steps.ts";
import type { PictureEvent, SetupEvent } from "./studio-event.ts";
import { isRunning, type StudioState } from "./studio-state.ts";

/** Changes the tool, its settings, the steps, and what is known about the caller. Events of pictures go to `reducePictures`. */
export function reduceSetup(state: StudioState, event: SetupEvent | PictureEvent): StudioState {
  switch (event.type) {
    case "tool-chosen":
      return state.tool === event.tool ? state : withToolChosen(state, event.tool);
    case "steps-chosen": {
      const { tool, steps, cursor } = event;
      const settings = { ...state.settings, [tool]: event.settings };
      return { ...state, tool, settings, steps, cursor, obstacle: undefined };
    }
    case "setting-changed": {
      const settings = { ...state.settings, [event.tool]: { ...state.settings[event.tool], ...event.patch } };
      return withStepWritten({ ...state, settings, obstacle: undefined });
    }
    case "format-detected":
      return withSourceFormat(state, event.format);
    case "format-unknown":
      return { ...withSourceFormat(state, ""), detection: event.sentence };
    case "caller-known": {
      if (state.caller?.id === event.caller?.id && state.caller?.tier === event.caller?.tier) return state;
      // Another caller's credits and limits are unknown until the server reports them.
      return { ...state, caller: event.caller, allowance: undefined, credits: undefined };
    }
    case "usage-remembered":
      return { ...state, guestUsage: event.usage };
    case "allowance-known": {
      const isOutdated = isRunning(state) || state.credits !== event.creditsBefore;
      return { ...state, allowance: event.allowance, credits: isOutdated ? state.credits : undefined };
    }
    case "obstacle-met":
      return { ...state, obstacle: event.obstacle };
    default:
      return reducePictures(state, event);
  }
}

/**
 * After a run, choosing another tool makes the results its input, and choosing the run's tool again restores the pictures from before.
 * In a recipe only the tool of the current step changes.
 */
function withToolChosen(before: StudioState, tool: OperationName): StudioState {
  const state = withStepWritten({ ...before, tool, obstacle: undefined });
  if (isRecipe(state) || isRunning(state)) return state;
  const { run, earlierRuns, pictures } = state;
  if (!run) return earlierRuns.at(-1)?.tool === tool ? withLatestOriginals(state) : state;
  const hasResults = pictures.some(({ outcome }) => outcome.kind === "done");
  return hasResults && run.tool !== tool && !isRecipe(run) ? withResultsAsPictures(state) : state;
}

/** Writes the form's current settings into the step under the cursor. */
const withStepWritten = (state: StudioState): StudioState => ({
  ...state,
  steps: state.steps.with(state.cursor, writeStep(state.tool, state.settings[state.tool])),
});

export function withSourceFormat(state: StudioState, sourceFormat: InputFormat | ""): StudioState {
  if ((state.settings.convert.source_format ?? "") === sourceFormat && state.detection === undefined) return state;
  const convert = { ...state.settings.convert, source_format: sourceFormat };
  return { ...state, detection: undefined, settings: { ...state.settings, convert } };
}
