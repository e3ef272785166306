import type { OperationName, OutputFormat } from "@tintype/contract";
import { reduceSetup } from "./reduce-setup.ts";
import type { SetupEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";

/** The tool and target format that a page opens the studio with; undefined on the home page. */
export type Opening = { tool: OperationName; targetFormat?: OutputFormat | undefined } | undefined;

export function openingEvents(opening: Opening): SetupEvent[] {
  if (!opening) return [];
  const { tool, targetFormat } = opening;
  const chosen: SetupEvent = { type: "tool-chosen", tool };
  return targetFormat
    ? [chosen, { type: "setting-changed", tool: "convert", patch: { target_format: targetFormat } }]
    : [chosen];
}

export const openedWith = (opening: Opening, state: StudioState): StudioState =>
  openingEvents(opening).reduce(reduceSetup, state);
