import type { OperationName } from "@tintype/contract";
import type { Settings } from "../state/settings.ts";
import type { SetupEvent } from "../state/studio-event.ts";
import type { Obstacle } from "../state/studio-state.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";

/** Of one tool's options. `problemIn` gives the id of the sentence that says what is wrong with a field, if something is. */
export type OptionsProps = { problemIn(field: Obstacle["field"]): string | undefined };

/** One tool's settings, and how to change some of them. */
export function useSetting<Tool extends OperationName>(
  tool: Tool,
): [Settings[Tool], (patch: Partial<Settings[Tool]>) => void] {
  const studio = useStudio();
  const setting = useStudioState((state) => state.settings[tool]);
  // The compiler does not see that tool and patch are of one kind, though both come from `Tool`.
  return [setting, (patch) => studio.dispatch({ type: "setting-changed", tool, patch } as SetupEvent)];
}
