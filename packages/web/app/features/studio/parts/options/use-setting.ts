import type { OperationName } from "@tintype/contract";
import { createContext, use } from "react";
import type { Obstacle } from "../../state/obstacle.ts";
import type { Picture } from "../../state/picture.ts";
import type { Settings, ToolSettings } from "../../state/settings.ts";
import type { SetupEvent } from "../../state/studio-event.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Of one tool's options. `problemIn` gives the id of the sentence that says what is wrong with a field, if something is. */
export type OptionsProps = { problemIn(field: Obstacle["field"]): string | undefined };

/** Tools that take a quality, or a size in bytes. */
export type SizeTool = "compress" | "convert";

/** In place of the studio's form: the options of one picture, which are kept only when they are saved. */
export type OnePicture = {
  picture: Picture;
  values: ToolSettings;
  change(patch: ToolSettings): void;
};
export const OnePictureContext = createContext<OnePicture | undefined>(undefined);

/** Whether the options are those of one picture of several. */
export const useIsOwn = (): boolean => use(OnePictureContext) !== undefined;

/** The picture that the options are for, where they are for a single one. */
export function useSinglePicture(): Picture | undefined {
  const single = useStudioState(({ pictures }) => (pictures.length === 1 ? pictures[0] : undefined));
  return use(OnePictureContext)?.picture ?? single;
}

/** One tool's settings, and how to change some of them. */
export function useSetting<Tool extends OperationName>(
  tool: Tool,
): [Settings[Tool], (patch: Partial<Settings[Tool]>) => void] {
  const studio = useStudio();
  const one = use(OnePictureContext);
  const setting = useStudioState((state) => state.settings[tool]);
  // The compiler does not see that tool, values and patch are of one kind, though all come from `Tool`.
  if (one) return [one.values as Settings[Tool], one.change as (patch: Partial<Settings[Tool]>) => void];
  return [setting, (patch) => studio.dispatch({ type: "setting-changed", tool, patch } as SetupEvent)];
}
