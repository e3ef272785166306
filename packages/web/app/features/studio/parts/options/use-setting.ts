import type { OperationName } from "@tintype/contract";
import { createContext, use } from "react";
import type { Obstacle } from "../../state/obstacle.ts";
import type { Picture } from "../../state/picture.ts";
import type { Settings, ToolSettings } from "../../state/settings.ts";
import type { SetupEvent } from "../../state/studio-event.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Props of a tool's options. `problemIn` returns the id of a field's error message, if it has one. */
export type OptionsProps = { problemIn(field: Obstacle["field"]): string | undefined };

/** Tools that take either a quality or a size in bytes. */
export type SizeTool = "compress" | "convert";

/** Replaces the studio's form in the custom options dialog: options that are applied only when saved. */
export type OnePicture = {
  picture: Picture;
  values: ToolSettings;
  change(patch: ToolSettings): void;
};
export const OnePictureContext = createContext<OnePicture | undefined>(undefined);

/** Whether the options are a picture's own and not the form's. */
export const useIsForOnePicture = (): boolean => use(OnePictureContext) !== undefined;

/** The picture that the options apply to, if it is a single one. */
export function useSinglePicture(): Picture | undefined {
  const single = useStudioState(({ pictures }) => (pictures.length === 1 ? pictures[0] : undefined));
  return use(OnePictureContext)?.picture ?? single;
}

/** A tool's settings and a function that patches them. */
export function useSetting<Tool extends OperationName>(
  tool: Tool,
): [Settings[Tool], (patch: Partial<Settings[Tool]>) => void] {
  const studio = useStudio();
  const one = use(OnePictureContext);
  const setting = useStudioState((state) => state.settings[tool]);
  // The compiler cannot correlate tool, values and patch, though all derive from `Tool`.
  if (one) return [one.values as Settings[Tool], one.change as (patch: Partial<Settings[Tool]>) => void];
  return [setting, (patch) => studio.dispatch({ type: "setting-changed", tool, patch } as SetupEvent)];
}
