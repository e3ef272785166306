import type { OperationName } from "@tintype/contract";
import { reduceSetup } from "./reduce-setup.ts";
import type { ToolSettings } from "./settings.ts";
import type { SetupEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** The tool that a page opens the studio with, and its options; undefined on the home page. */
export type InitialTool = { tool: OperationName; settings?: ToolSettings | undefined } | undefined;

export function initialToolEvents(initialTool: InitialTool): SetupEvent[] {
  if (!initialTool) return [];
  const { tool, settings } = initialTool;
  const chosen: SetupEvent = { type: "tool-chosen", tool };
  return settings ? [chosen, { type: "setting-changed", tool, patch: settings }] : [chosen];
}

export const withInitialTool = (initialTool: InitialTool, state: StudioState): StudioState =>
  initialToolEvents(initialTool).reduce(reduceSetup, state);
