import { isTask, mostRecipeSteps, tasks, text } from "@tintype/contract";
import { countOf, formatNumber } from "../../../lib/size.ts";
import { settingObstacle } from "./form-fields.ts";
import { judgePicture, onWhosePlan } from "./judge-picture.ts";
import { hasOwn, settingsFor } from "./own-options.ts";
import type { Picture } from "./picture.ts";
import { recipeObstacle, sentSteps } from "./steps.ts";
import { limitsOf, type Obstacle, type StudioState } from "./studio-state.ts";
import { picturesToSend } from "./to-send.ts";

/**
 * The first obstacle to sending, or undefined: docs/product.md's checks, then the pictures themselves. A
 * picture that cannot go stops nothing while another one can.
 */
export function findObstacle(state: StudioState): Obstacle | undefined {
  if (state.pictures.length === 0) return { field: "pictures", sentence: tasks[state.tool].noFiles };
  if (state.pictures.every(({ file, fault }) => file === undefined && fault === undefined))
    return { field: "pictures", sentence: "These originals are no longer on this page. Please choose them again." };
  if (!isTask(state.tool)) return { field: "service", sentence: text.unknownOperation }; // of a version that was kept
  const inRecipe = state.others && recipeObstacle(state);
  if (inRecipe && !settingObstacle(state.tool, state.settings)) return { field: "background", sentence: inRecipe };
  if (sentSteps(state).length > mostRecipeSteps)
    return {
      field: "service",
      sentence: `A run has at most ${mostRecipeSteps} steps, the turn and the crop among them. Please take one away.`,
    };
  return settingObstacle(state.tool, state.settings) ?? ownObstacle(state) ?? pictureObstacle(state);
}

/** Of pictures with options of their own, which may have become wrong with a crop or another step. */
function ownObstacle(state: StudioState): Obstacle | undefined {
  for (const { id, name } of state.pictures) {
    if (!hasOwn(state, id)) continue;
    const { tool, others } = state;
    const settings = settingsFor(state, id);
    const sentence = settingObstacle(tool, settings)?.sentence ?? (others && recipeObstacle({ tool, settings }));
    if (sentence) return { field: "pictures", sentence: `${name}: ${sentence}` };
  }
  return undefined;
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
