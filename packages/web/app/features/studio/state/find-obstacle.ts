import { maxSidePx, tasks, text } from "@tintype/contract";
import { countOf, formatNumber } from "../../../lib/size.ts";
import { judgePicture, onWhosePlan } from "./judge-picture.ts";
import type { Picture } from "./picture.ts";
import { limitsOf, type Obstacle, type StudioState } from "./studio-state.ts";
import { picturesToSend } from "./to-send.ts";

/**
 * What must be mended before anything can be sent, or undefined: docs/product.md's checks, then the pictures themselves. A
 * picture that cannot go stops nothing while another one can.
 */
export function findObstacle(state: StudioState): Obstacle | undefined {
  if (state.pictures.length === 0) return { field: "pictures", sentence: tasks[state.tool].noFiles };
  if (state.pictures.every(({ file }) => file === undefined))
    return { field: "pictures", sentence: "These originals are no longer on this page. Please choose them again." };
  return settingObstacle(state) ?? pictureObstacle(state);
}

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

function pictureObstacle(state: StudioState): Obstacle | undefined {
  const pictures = picturesToSend(state);
  if (pictures.length === 0) return nothingCanGo(state.pictures, state);
  const own = limitsOf(state);
  // A guest's batch beyond the allowance is not an obstacle: the page shows the ways in and the prices (docs/product.md).
  if (!own || own.tier === "guest" || pictures.length <= own.limits.filesPerBatch) return undefined;
  const { filesPerBatch } = own.limits;
  const many = formatNumber(pictures.length);
  return {
    field: "pictures",
    sentence: `${onWhosePlan(own.tier)} a batch may have ${countOf(filesPerBatch, "picture")}; this one has ${many}.`,
    remedies: [
      { kind: "send", count: filesPerBatch, label: `Go on with the first ${filesPerBatch}` },
      { kind: "link", to: "/pricing", label: "See the plans" },
    ],
  };
}

function nothingCanGo(pictures: readonly Picture[], state: StudioState): Obstacle | undefined {
  const verdicts = pictures.flatMap((picture) => judgePicture(picture, state) ?? []);
  const [first] = verdicts;
  if (!first) return undefined;
  const more = verdicts.length === 1 ? "" : ` ${countOf(verdicts.length - 1, "more picture")} cannot go either.`;
  return { field: "pictures", sentence: first.sentence + more, remedies: first.remedies };
}

const isBlank = (value: string) => value.trim() === "";
const isWhole = (value: string, most: number) =>
  /^\s*[0-9]{1,9}\s*$/.test(value) && Number(value) >= 1 && Number(value) <= most;
