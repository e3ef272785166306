import {
  keepsFormat,
  maxPreviewMegapixels,
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
import type { PreviewRequest } from "../../work/preview-client.ts";

/** Whether the tool's result can be previewed for free. A tool that runs a network cannot: any part of it would be a whole result. */
export const isPreviewed = (tool: OperationName): boolean => previewedOperations.some((name) => name === tool);

/** Whether parts of a picture can be previewed. Animations and vector drawings have none. */
export const hasParts = ({ format, isAnimated, file, fault }: Picture): boolean =>
  file !== undefined && fault === undefined && !isAnimated && format !== "gif" && format !== "svg";

/**
 * The operation and options of a preview request, and the steps of the picture's frame before it; `missing` is a sentence if the
 * settings are incomplete.
 */
export function previewRequest(
  tool: OperationName,
  settings: ToolSettings,
  frame: Frame | undefined,
): Pick<PreviewRequest, "operation" | "options" | "files" | "steps"> | { missing: string } {
  const obstacle = settingObstacle(tool, settings);
  if (obstacle) return { missing: obstacle.sentence };
  const fields = Object.entries(formFields(tool, settings));
  const options = Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value]] : [])),
  );
  const files = Object.fromEntries(fields.flatMap(([name, value]) => (value instanceof File ? [[name, value]] : [])));
  const hasFiles = Object.keys(files).length > 0;
  return {
    operation: tool,
    options,
    ...(hasFiles ? { files } : {}),
    ...(hasFrame(frame) ? { steps: stepsOf(frame) } : {}),
  };
}

/**
 * Whether a preview is shown automatically: if the options are complete, it shows what would be downloaded, data saving is off, and the
 * page knows no reason for the server to refuse it.
 */
export function automaticPreview(state: StudioState, picture: Picture): "shown" | "incomplete" | "hidden" {
  const { tool } = state;
  const { outcome, preview, sides } = picture;
  if (outcome.kind !== "none" || preview.kind !== "shown" || isRecipe(state) || savesData()) return "hidden";
  if (judgePicture(picture, state) || (sides && isTooLarge(sides))) return "hidden";
  const order = orderOf(state, picture);
  const request = previewRequest(tool, order.settings, order.frame);
  if ("missing" in request) return "incomplete";
  return isRefused(request.options, picture, order) ? "hidden" : "shown";
}

const isTooLarge = ({ widthPx, heightPx }: Sides): boolean => widthPx * heightPx > maxPreviewMegapixels * 1e6;

/** Applies the server's rules to what the page knows about the picture. */
function isRefused(
  options: PreviewRequest["options"],
  { format, sides }: Picture,
  { tool, settings, frame }: Order,
): boolean {
  const { target_format: target, quality, max_bytes: maxBytes, background } = options;
  if (target === "ico") return true;
  if (tool === "resize") {
    const resized = sides && resizedSides(framedSides(sides, frame), settings);
    return resized !== undefined && isTooLarge(resized);
  }
  if (format === undefined) return false;
  if (tool === "compress")
    return format === "ico" || (format !== "heic" && !outputFormats.some((written) => written === format));
  const requested = { quality: numberOf(quality), max_bytes: numberOf(maxBytes), background };
  return target !== undefined && !hasFrame(frame) && keepsFormat({ target_format: target, ...requested }, format);
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** Not all browsers support this. */
const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
