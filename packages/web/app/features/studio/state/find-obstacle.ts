import { isTask, maxRecipeSteps, tasks, text } from "@tintype/contract";
import { countOf, formatNumber } from "../../../lib/size.ts";
import { settingObstacle } from "./form-fields.ts";
import { hasFrame } from "./frame.ts";
import { judgePicture, planPhrase } from "./judge-picture.ts";
import type { Obstacle } from "./obstacle.ts";
import { formOrder, hasCustomOptions, type Order, orderOf, sentSteps } from "./order.ts";
import type { Picture } from "./picture.ts";
import { isRecipe, recipeObstacle } from "./steps.ts";
import { limitsOf, type StudioState } from "./studio-state.ts";
import { chosenPictures, picturesToSend } from "./to-send.ts";

/**
 * The first obstacle to sending, or undefined: the checks of docs/product.md, then the pictures themselves. A
 * picture that cannot be sent is no obstacle while another one can.
 */
export function findObstacle(state: StudioState): Obstacle | undefined {
  if (state.pictures.length === 0) return { field: "pictures", sentence: tasks[state.tool].noFiles };
  if (chosenPictures(state).every(({ file, fault }) => file === undefined && fault === undefined))
    return { field: "pictures", sentence: "These originals are no longer on this page. Please add them again." };
  if (!isTask(state.tool)) return { field: "service", sentence: text.unknownOperation }; // a tool stored by another version
  return orderObstacle(formOrder(state)) ?? customObstacle(state) ?? pictureObstacle(state);
}

/** Why an order cannot be sent. */
function orderObstacle(order: Order): Obstacle | undefined {
  const { tool, settings, frame } = order;
  const obstacle = settingObstacle(tool, settings);
  if (obstacle) return obstacle;
  const inRecipe = isRecipe(order) || hasFrame(frame) ? recipeObstacle(order) : undefined;
  if (inRecipe)
    return {
      field: "background",
      sentence: isRecipe(order)
        ? inRecipe
        : "A background image cannot be combined with a crop or rotation. Remove the background first, then add the image for free.",
    };
  if (sentSteps(order).length <= maxRecipeSteps) return undefined;
  return {
    field: "service",
    sentence: `A run can have up to ${maxRecipeSteps} steps, including rotation and crop. Please remove one.`,
  };
}

/** The obstacle of a picture with custom options, crop or rotation. */
function customObstacle(state: StudioState): Obstacle | undefined {
  for (const picture of chosenPictures(state)) {
    if (!hasCustomOptions(picture, state.tool) && !hasFrame(picture.frame)) continue;
    const obstacle = orderObstacle(orderOf(state, picture));
    if (obstacle && state.pictures.length === 1) return obstacle;
    if (obstacle) return { field: "pictures", sentence: `${picture.name}: ${obstacle.sentence}` };
  }
  return undefined;
}

function pictureObstacle(state: StudioState): Obstacle | undefined {
  const pictures = picturesToSend(state);
  if (pictures.length === 0) return unsendableObstacle(chosenPictures(state), state);
  const callerLimits = limitsOf(state);
  // A guest's batch beyond the allowance is no obstacle: the page then offers sign-up and prices (docs/product.md).
  if (!callerLimits || callerLimits.tier === "guest" || pictures.length <= callerLimits.limits.filesPerBatch)
    return undefined;
  const { filesPerBatch } = callerLimits.limits;
  const many = formatNumber(pictures.length);
  const ids = new Set(pictures.map(({ id }) => id));
  return {
    field: "pictures",
    sentence: `${planPhrase(callerLimits.tier)}, a batch can have up to ${countOf(filesPerBatch, "image")}; this one has ${many}.`,
    remedies: [
      { kind: "send", count: filesPerBatch, ids, label: `Continue with the first ${filesPerBatch}` },
      { kind: "link", to: "/pricing", label: "See plans" },
    ],
  };
}

function unsendableObstacle(pictures: readonly Picture[], state: StudioState): Obstacle | undefined {
  const held = pictures.find(({ outcome }) => outcome.kind === "held");
  if (held) return { field: "pictures", sentence: `Keep or discard the result of ${held.name} first.` };
  const verdicts = pictures.flatMap((picture) => judgePicture(picture, state) ?? []);
  const [first] = verdicts;
  if (!first) return undefined;
  const more = verdicts.length === 1 ? "" : ` ${countOf(verdicts.length - 1, "more image")} cannot be used.`;
  return { field: "pictures", sentence: first.sentence + more, remedies: first.remedies };
}
