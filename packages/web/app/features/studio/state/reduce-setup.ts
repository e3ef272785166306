import type { InputFormat } from "@tintype/contract";
import { writeStep } from "./steps.ts";
import type { SetupEvent, StudioEvent } from "./studio-event.ts";
import { isRunning, type StudioState } from "./studio-state.ts";

/** What an empty studio does without the state machine, which is loaded later. */
export type EarlyEvent = Extract<
  SetupEvent,
  { type: "tool-chosen" | "setting-changed" | "caller-known" | "usage-remembered" | "restoring" }
>;

const early: { [Type in EarlyEvent["type"]]: true } = {
  "tool-chosen": true,
  "setting-changed": true,
  "caller-known": true,
  "usage-remembered": true,
  restoring: true,
};

export const isEarly = (event: StudioEvent): event is EarlyEvent => event.type in early;

/** Changes the tool, its settings, the steps, and what is known about the caller. */
export function reduceSetup(state: StudioState, event: SetupEvent): StudioState {
  switch (event.type) {
    case "tool-chosen":
      return state.tool === event.tool ? state : withStepWritten({ ...state, tool: event.tool, obstacle: undefined });
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
    case "restoring":
      return { ...state, restoring: event.count };
    case "allowance-known": {
      const isOutdated = isRunning(state) || state.credits !== event.creditsBefore;
      return { ...state, allowance: event.allowance, credits: isOutdated ? state.credits : undefined };
    }
    case "obstacle-met":
      return { ...state, obstacle: event.obstacle };
  }
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
