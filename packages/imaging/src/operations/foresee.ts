import { formats, type InputFormat, type OutputFormat, type TaskName, type TaskOptions } from "@tintype/contract";
import { checkPixels } from "../formats/limits.ts";
import { formatForSize, outputFormat } from "../formats/output-format.ts";
import type { PictureLimits } from "../task.ts";
import { checkResultSize } from "../upscale/result-size.ts";
import { cropRegion } from "./crop-region.ts";
import { checkResult } from "./resize/check-result.ts";
import { resizeGeometry } from "./resize/geometry.ts";

type Facts = { format: InputFormat; width: number; height: number };
export type Foreseen = {
  /** The picture after the step; undefined where there is nothing to do. */
  result: Facts | undefined;
  /** Losses, a sentence each; with "if" where the picture's pixels decide. */
  losses: string[];
};

/**
 * Looks ahead, by the facts of a still picture alone: as an operation would decide by its header. Options that are undefined are
 * still to be chosen: then only what goes for all of them is foreseen.
 * @throws what the operation throws by it: too-many-pixels, cannot-process
 */
export function foresee(
  step: { operation: TaskName; options: unknown },
  { picture, limits }: { picture: Facts; limits: PictureLimits },
): Foreseen {
  const { format, width, height } = picture;
  checkPixels(picture, limits);
  if (step.options === undefined) return { result: picture, losses: [] };
  const source = { format, hasAlpha: false };
  switch (step.operation) {
    case "compress": {
      const { format: written, note } = outputFormat(source, "compress");
      return { result: { format: written, width, height }, losses: listOf(note) };
    }
    case "resize": {
      const geometry = resizeGeometry(picture, step.options as TaskOptions<"resize">); // parsed by the contract
      const written = outputFormat(source, "resize");
      const checked = checkResult({ ...geometry, frames: 1, format: written.format, limits });
      const size = { width: geometry.width, height: geometry.height };
      return { result: { format: checked.format, ...size }, losses: listOf(written.note, checked.note) };
    }
    case "upscale": {
      const { scale_factor: factor } = step.options as TaskOptions<"upscale">; // parsed by the contract
      checkResultSize(picture, { factor, limits });
      const written = outputFormat(source, "upscale");
      const size = { width: width * factor, height: height * factor };
      const target = formatForSize(written.format, size);
      return { result: { format: target.format, ...size }, losses: listOf(written.note, target.note) };
    }
    case "remove-background":
      return { result: { format: "png", width, height }, losses: [] };
    case "convert": {
      const { target_format: target } = step.options as TaskOptions<"convert">; // parsed by the contract
      if (target === format) return { result: undefined, losses: [] };
      return { result: { format: target, width, height }, losses: lossesOf(format, target) };
    }
    case "crop": {
      const written = outputFormat(source, "resize");
      const { width, height } = cropRegion(picture, step.options as TaskOptions<"crop">); // parsed by the contract
      return { result: { format: written.format, width, height }, losses: listOf(written.note) };
    }
    case "turn": {
      const written = outputFormat(source, "resize");
      const { degrees = 0 } = step.options as TaskOptions<"turn">; // parsed by the contract
      const size = degrees % 180 === 0 ? { width, height } : { width: height, height: width };
      return { result: { format: written.format, ...size }, losses: listOf(written.note) };
    }
    default:
      return { result: picture, losses: [] };
  }
}

const listOf = (...notes: (string | undefined)[]): string[] => notes.filter((note) => note !== undefined);

function lossesOf(from: InputFormat, to: OutputFormat): string[] {
  const [had, holds, { label }] = [formats[from].holds, formats[to].holds, formats[to]];
  return [
    ...(had.animation && !holds.animation
      ? [`If it moves, only its first frame is kept: ${label} does not move.`]
      : []),
    ...(had.alpha && !holds.alpha
      ? [`If it has transparent areas, they become white: ${label} has no transparency.`]
      : []),
    ...(had.profile && !holds.profile
      ? [`If it has a colour profile, its colours are converted to sRGB: ${label} holds none.`]
      : []),
    ...(had.depth16 && !holds.depth16
      ? [`If it has 16 bits a channel, they become 8, all that is written as ${label}.`]
      : []),
  ];
}
