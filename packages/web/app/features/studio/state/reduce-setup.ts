import type { InputFormat } from "@tintype/contract";
import { withOwn } from "./own-options.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** The tool, its settings, and what stands in the way of using it. Other events change nothing here. */
export function reduceSetup(state: StudioState, event: StudioEvent): StudioState {
  switch (event.type) {
    case "tool-chosen":
      return state.tool === event.tool ? state : { ...state, tool: event.tool, obstacle: undefined };
    case "steps-chosen":
      return {
        ...state,
        tool: event.tool,
        settings: { ...state.settings, [event.tool]: event.settings },
        others: event.others,
        obstacle: undefined,
      };
    case "setting-changed":
      return {
        ...state,
        settings: { ...state.settings, [event.tool]: { ...state.settings[event.tool], ...event.patch } },
        obstacle: undefined,
      };
    case "own-options-set":
      return { ...state, own: withOwn(state.own, event), obstacle: undefined };
    case "frame-changed": {
      const { frame } = event;
      const settings = Object.fromEntries(
        Object.entries(state.settings).map(([tool, { frame: _, ...rest }]) => [
          tool,
          frame ? { ...rest, frame } : rest,
        ]),
      ) as StudioState["settings"]; // the same tools
      return { ...state, settings, obstacle: undefined };
    }
    case "format-detected":
      return withSourceFormat(state, event.format);
    case "format-unknown":
      return { ...withSourceFormat(state, ""), detection: event.sentence };
    case "caller-known": {
      if (state.caller?.id === event.caller?.id && state.caller?.tier === event.caller?.tier) return state;
      // Another caller's credits and limits are unknown until the server tells them.
      return { ...state, caller: event.caller, allowance: undefined, credits: undefined };
    }
    case "usage-remembered":
      return { ...state, guestUse: event.usage };
    case "allowance-known":
      return { ...state, allowance: event.allowance, credits: undefined };
    case "obstacle-met":
      return { ...state, obstacle: event.obstacle };
    default:
      return state;
  }
}

export function withSourceFormat(state: StudioState, sourceFormat: InputFormat | ""): StudioState {
  if ((state.settings.convert.source_format ?? "") === sourceFormat && state.detection === undefined) return state;
  const convert = { ...state.settings.convert, source_format: sourceFormat };
  return { ...state, detection: undefined, settings: { ...state.settings, convert } };
}
