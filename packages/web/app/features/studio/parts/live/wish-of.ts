import {
  keepsFormat,
  mostPreviewedMegapixels,
  type OperationName,
  outputFormats,
  previewedOperations,
} from "@tintype/contract";
import { formFields, settingObstacle } from "../../state/form-fields.ts";
import { type Frame, framedSides, hasFrame, type Sides, stepsOf } from "../../state/frame.ts";
import { judgePicture } from "../../state/judge-picture.ts";
import { type Order, orderOf } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import { resizedSides } from "../../state/resized-sides.ts";
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
 * downloaded, its upload is not saved, and nothing is known that the server would refuse.
 */
export function unaskedPreview(state: StudioState, picture: Picture): "shown" | "incomplete" | "hidden" {
  const { tool } = state;
  const { outcome, preview, sides } = picture;
  if (outcome.kind !== "none" || preview.kind !== "shown" || isRecipe(state) || savesData()) return "hidden";
  if (judgePicture(picture, state) || (sides && isTooLarge(sides))) return "hidden";
  const order = orderOf(state, picture);
  const wish = wishOf(tool, order.settings, order.frame);
  if ("missing" in wish) return "incomplete";
  return isRefused(wish.options, picture, order) ? "hidden" : "shown";
}

const isTooLarge = ({ widthPx, heightPx }: Sides): boolean => widthPx * heightPx > mostPreviewedMegapixels * 1e6;

/** By the server's own rules, as far as the page knows the picture. */
function isRefused(options: Wish["options"], { format, sides }: Picture, { tool, settings, frame }: Order): boolean {
  const { target_format: target, quality, max_bytes: maxBytes, background } = options;
  if (target === "ico") return true;
  if (tool === "resize") {
    const resized = sides && resizedSides(framedSides(sides, frame), settings);
    return resized !== undefined && isTooLarge(resized);
  }
  if (format === undefined) return false;
  if (tool === "compress")
    return format === "ico" || (format !== "heic" && !outputFormats.some((written) => written === format));
  const wished = { quality: numberOf(quality), max_bytes: numberOf(maxBytes), background };
  return target !== undefined && !hasFrame(frame) && keepsFormat({ target_format: target, ...wished }, format);
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** Not all browsers tell. */
const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
