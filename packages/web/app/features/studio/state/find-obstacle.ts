import { maxSidePx, planLabels, tasks, text } from "@tintype/contract";
import { countOf, formatBytes } from "../../../lib/size.ts";
import type { Picture } from "./picture.ts";
import type { Allowance, Obstacle, StudioState } from "./studio-state.ts";
import { picturesToSend } from "./summary.ts";

/** What must be mended before the pictures can be sent, or undefined: SPEC.md's checks, then the plan's limits. */
export function findObstacle(state: StudioState): Obstacle | undefined {
  const pictures = picturesToSend(state);
  if (state.pictures.length === 0) return { field: "pictures", sentence: tasks[state.tool].noFiles };
  if (pictures.length === 0)
    return { field: "pictures", sentence: "These originals are no longer on this page. Please choose them again." };
  return settingObstacle(state) ?? (state.allowance && limitObstacle(state, pictures, state.allowance));
}

/** Why one picture is over the plan's limits, as a sentence, or undefined. */
export function findExcess(picture: Picture, { tool, settings, allowance }: StudioState): string | undefined {
  if (!allowance || !picture.file) return undefined;
  const { limits } = allowance;
  const who = onWhosePlan(allowance);
  if (picture.sizeBytes > limits.megabytesPerFile * 1e6)
    return `${who} a picture may have ${limits.megabytesPerFile} MB; ${picture.name} has ${formatBytes(picture.sizeBytes)}.`;
  if (!picture.sides) return undefined;
  const megapixels = (picture.sides.widthPx * picture.sides.heightPx) / 1e6;
  if (megapixels > limits.megapixelsIn)
    return `${who} a picture may have ${limits.megapixelsIn} megapixels; ${picture.name} has ${round(megapixels)}.`;
  const enlarged = megapixels * settings.upscale.scaleFactor ** 2;
  if (tool === "upscale" && enlarged > limits.megapixelsOut)
    return `${who} a result may have ${limits.megapixelsOut} megapixels; ${picture.name} would have ${round(enlarged)}.`;
  return undefined;
}

/** `On the Mini plan`, `Without an account`. */
const onWhosePlan = ({ tier }: Pick<Allowance, "tier">): string =>
  tier === "guest" ? "Without an account" : `On the ${planLabels[tier]} plan`;

function settingObstacle({ tool, settings }: StudioState): Obstacle | undefined {
  switch (tool) {
    case "compress":
      return isWhole(settings.compress.quality, 100) ? undefined : { field: "quality", sentence: text.invalidQuality };
    case "resize": {
      const { width, height } = settings.resize;
      if (isBlank(width) && isBlank(height)) return { field: "width", sentence: text.enterSide };
      if (!isBlank(width) && !isWhole(width, maxSidePx)) return { field: "width", sentence: text.invalidSide("width") };
      if (!isBlank(height) && !isWhole(height, maxSidePx))
        return { field: "height", sentence: text.invalidSide("height") };
      return undefined;
    }
    case "convert":
      return settings.convert.targetFormat === "" ? { field: "target", sentence: text.selectTarget } : undefined;
    case "remove-background": {
      const { ground, picture, isMaskOnly } = settings["remove-background"];
      return ground === "picture" && !picture && !isMaskOnly
        ? { field: "background", sentence: "Please choose the picture for the background." }
        : undefined;
    }
    case "upscale":
      return undefined;
    default:
      tool satisfies never;
      return { field: "service", sentence: text.unknownOperation };
  }
}

function limitObstacle(state: StudioState, pictures: readonly Picture[], allowance: Allowance): Obstacle | undefined {
  const { filesPerBatch } = allowance.limits;
  if (pictures.length > filesPerBatch)
    return {
      field: "pictures",
      sentence: `${onWhosePlan(allowance)} a batch may have ${countOf(filesPerBatch, "picture")}; this one has ${pictures.length}.`,
    };
  const over = pictures.map((picture) => findExcess(picture, state)).filter((sentence) => sentence !== undefined);
  const [first] = over;
  if (!first) return undefined;
  const more = over.length === 1 ? "" : ` ${countOf(over.length - 1, "more picture")} also over the limit.`;
  return { field: "pictures", sentence: first + more };
}

const isBlank = (value: string) => value.trim() === "";
const isWhole = (value: string, most: number) =>
  /^\s*[0-9]{1,9}\s*$/.test(value) && Number(value) >= 1 && Number(value) <= most;
const round = (megapixels: number) => (megapixels < 10 ? megapixels.toFixed(1) : String(Math.round(megapixels)));
