import {
  DomainError,
  formats,
  type InputFormat,
  isStillOnly,
  keepsFormat,
  type Note,
  type OutputFormat,
  type TaskName,
  type TaskOptions,
} from "@tintype/contract";
import { checkPixels } from "../formats/limits.ts";
import { checkSides, chosenFormat, formatForSize, outputFormat } from "../formats/output-format.ts";
import { turnedSize } from "../raster/turned.ts";
import type { PictureLimits } from "../task.ts";
import { checkResultSize } from "../upscale/result-size.ts";
import { cropRegion } from "./crop-region.ts";
import { checkResult } from "./resize/check-result.ts";
import { resizeGeometry } from "./resize/geometry.ts";
import { sizesOf } from "./web-set/plan.ts";

/** `frames`: undefined if it is unknown whether the picture is animated; it is then treated as still. */
type Facts = { format: InputFormat; width: number; height: number; frames?: number | undefined };
export type StepPrediction = {
  /** The picture after the step; undefined if there is nothing to do. */
  result: Facts | undefined;
  /** Losses. The codes with "may" depend on the pixels. */
  losses: Note[];
};

/**
 * Predicts a step from the facts of a picture alone, as the operation would decide from its header. Undefined options
 * are yet to be chosen: only what applies to all of them is predicted.
 * @throws what the operation throws for those facts: too-many-pixels, cannot-process
 */
export function predictStep(
  step: { operation: TaskName; options: unknown },
  { picture, limits }: { picture: Facts; limits: PictureLimits },
): StepPrediction {
  const { format, width, height } = picture;
  const frames = framesOf(picture);
  checkPixels({ width, height, ...(frames === undefined ? {} : { frames }) }, limits);
  if (frames !== undefined && frames > 1) refuseAnimation(step.operation);
  if (step.options === undefined) return { result: picture, losses: [] };
  const source = { format, hasAlpha: false };
  switch (step.operation) {
    case "compress": {
      const { format: written, note } = outputFormat(source, "compress");
      return { result: { format: written, width, height, frames }, losses: listOf(note) };
    }
    case "resize": {
      const options = step.options as TaskOptions<"resize">; // parsed by the contract
      const geometry = resizeGeometry(picture, options);
      const written = chosenFormat(source, options);
      const { target_format: target } = options;
      if (target !== undefined) checkSides(target, geometry);
      const kept = formats[written.format].holds.animation ? frames : 1;
      const checked = checkResult({ ...geometry, frames: kept ?? 1, format: written.format, limits });
      const size = { width: geometry.width, height: geometry.height, frames: kept };
      const losses = target === undefined ? [] : lossesOf({ format, frames }, target);
      return {
        result: { format: checked.format, ...size },
        losses: [...listOf(written.note, checked.note), ...losses],
      };
    }
    case "upscale": {
      const { scale_factor: factor } = step.options as TaskOptions<"upscale">; // parsed by the contract
      checkResultSize(picture, { factor, limits });
      const written = outputFormat(source, "upscale");
      const size = { width: width * factor, height: height * factor };
      const target = formatForSize(written.format, size);
      return { result: { format: target.format, ...size }, losses: listOf(written.note, target.note) };
    }
    case "remove-background": {
      // parsed by the contract
      const { target_format: target = "png" } = step.options as TaskOptions<"remove-background">;
      checkSides(target, picture);
      return { result: { format: target, width, height }, losses: [] };
    }
    case "convert": {
      const options = step.options as TaskOptions<"convert">; // parsed by the contract
      const { target_format: target, background = "transparent" } = options;
      if (keepsFormat(options, format)) return { result: undefined, losses: [] };
      if (target === format && background === "transparent") return { result: picture, losses: [] };
      checkSides(target, picture);
      const kept = formats[target].holds.animation ? frames : 1;
      const losses = lossesOf({ format, frames, background }, target);
      return { result: { format: target, width, height, frames: kept }, losses };
    }
    case "web-set": {
      const options = step.options as TaskOptions<"web-set">; // parsed by the contract
      const [size] = sizesOf(picture, options, limits);
      return { result: { format, width: size.width, height: size.height }, losses: [] };
    }
    case "crop": {
      const written = outputFormat(source, "resize");
      const { width, height } = cropRegion(picture, step.options as TaskOptions<"crop">); // parsed by the contract
      return { result: { format: written.format, width, height }, losses: listOf(written.note) };
    }
    case "turn": {
      const written = outputFormat(source, "resize");
      const size = turnedSize(picture, step.options as TaskOptions<"turn">); // parsed by the contract
      return { result: { format: written.format, ...size }, losses: listOf(written.note) };
    }
    case "watermark": {
      const written = outputFormat(source, "resize");
      const isAnimated = formats[written.format].holds.animation && (frames ?? 1) > 1;
      const target = isAnimated ? { format: written.format } : formatForSize(written.format, picture);
      return { result: { ...picture, format: target.format }, losses: listOf(written.note, target.note) };
    }
    default:
      return { result: picture, losses: [] };
  }
}

const listOf = (...notes: (Note | undefined)[]): Note[] => notes.filter((note) => note !== undefined);

/** GIF, WebP and PNG are read with all frames, other formats with the first. */
const framesOf = ({ format, frames }: Facts): number | undefined =>
  format === "gif" || format === "webp" || format === "png" ? frames : undefined;

/** @throws cannot-process if the operation accepts still pictures only */
function refuseAnimation(operation: TaskName): void {
  if (isStillOnly(operation)) throw new DomainError("cannot-process", { reason: { code: "still-only", operation } });
}

type Lost = Pick<Facts, "format" | "frames"> & { background?: string };

function lossesOf({ format, frames, background = "transparent" }: Lost, to: OutputFormat): Note[] {
  const [had, holds] = [formats[format].holds, formats[to].holds];
  const keepsAlpha = had.alpha && background === "transparent";
  const stops = had.animation && !holds.animation;
  return [
    ...(stops && frames === undefined ? [{ code: "animation-may-be-lost", format: to } as const] : []),
    ...(stops && frames !== undefined && frames > 1 ? [{ code: "animation-lost", frames, format: to } as const] : []),
    ...(keepsAlpha && !holds.alpha ? [{ code: "transparency-may-be-lost", format: to } as const] : []),
    ...(keepsAlpha && to === "gif" && format !== "gif" ? [{ code: "partial-transparency-may-be-lost" } as const] : []),
    ...(had.profile && !holds.profile ? [{ code: "profile-may-be-lost", format: to } as const] : []),
    ...(had.depth16 && !holds.depth16 ? [{ code: "depth-may-be-lost", format: to } as const] : []),
  ];
}
