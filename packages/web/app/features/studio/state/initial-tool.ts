import type { OperationName, OutputFormat } from "@tintype/contract";
import { reduceSetup } from "./reduce-setup.ts";
import type { SetupEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** The tool and target format that a page opens the studio with; undefined on the home page. */
export type InitialTool = { tool: OperationName; targetFormat?: OutputFormat | undefined } | undefined;

export function initialToolEvents(initialTool: InitialTool): SetupEvent[] {
  if (!initialTool) return [];
  const { tool, targetFormat } = initialTool;
  const chosen: SetupEvent = { type: "tool-chosen", tool };
  return targetFormat
    ? [chosen, { type: "setting-changed", tool: "convert", patch: { target_format: targetFormat } }]
    : [chosen];
}

export const withInitialTool = (initialTool: InitialTool, state: StudioState): StudioState =>
  initialToolEvents(initialTool).reduce(reduceSetup, state);
