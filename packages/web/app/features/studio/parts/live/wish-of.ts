import { mostPreviewedMegapixels, type OperationName, previewedOperations } from "@tintype/contract";
import { formFields, settingObstacle } from "../../state/form-fields.ts";
import { type Frame, hasFrame, stepsOf } from "../../state/frame.ts";
import { orderOf } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { isRecipe } from "../../state/steps.ts";
import type { StudioState } from "../../state/studio-state.ts";
import type { Wish } from "../../work/look.ts";

/** Whether the tool's result can be shown before it is paid for. A network makes a whole result of any part. */
export const isPreviewed = (tool: OperationName): boolean => previewedOperations.some((name) => name === tool);

/** A moving picture and a drawing have no part that could be shown. */
export const hasParts = ({ format, file, fault }: Picture): boolean =>
  file !== undefined && fault === undefined && format !== "gif" && format !== "svg";

/**
 * The operation and its options, as a preview asks for them, and the steps of the picture's frame before it; a sentence where the
 * settings are not complete.
 */
export function wishOf(
  tool: OperationName,
  settings: ToolSettings,
  frame: Frame | undefined,
): Pick<Wish, "operation" | "options" | "steps"> | { missing: string } {
  const obstacle = settingObstacle(tool, settings);
  if (obstacle) return { missing: obstacle.sentence };
  const options = Object.fromEntries(
    Object.entries(formFields(tool, settings)).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    ),
  );
  return { operation: tool, options, ...(hasFrame(frame) ? { steps: stepsOf(frame) } : {}) };
}

/**
 * Whether the preview of a picture is shown before anybody asks for it: where the options are complete, what it shows is what would be
 * downloaded, and its upload is not saved.
 */
export function isShownUnasked(state: StudioState, picture: Picture): boolean {
  const { tool } = state;
  const { outcome, preview, sides } = picture;
  if (outcome.kind !== "none" || preview.kind !== "shown" || isRecipe(state) || savesData()) return false;
  if (sides && sides.widthPx * sides.heightPx > mostPreviewedMegapixels * 1e6) return false;
  const { settings, frame } = orderOf(state, picture);
  return !("missing" in wishOf(tool, settings, frame));
}

/** Not all browsers tell. */
const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
