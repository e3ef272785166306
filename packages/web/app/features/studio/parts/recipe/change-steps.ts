import { maxRecipeSteps, type WrittenStep } from "@tintype/contract";
import { settingObstacle } from "../../state/form-fields.ts";
import type { Obstacle } from "../../state/obstacle.ts";
import { formOrder } from "../../state/order.ts";
import { chooseStep, planOf, recipeObstacle, writeStep } from "../../state/steps.ts";
import type { StudioState } from "../../state/studio-state.ts";
import type { Studio } from "../../work/studio.ts";

// The user's changes of the steps. The form switches to another step only if the current one is valid.

/** Adds a step after the current one and shows it in the form. */
export function addStep(studio: Studio): void {
  const state = studio.read();
  const { tool, settings, steps, cursor } = state;
  if (isStopped(studio, stepObstacle(state) ?? limitObstacle(state))) return;
  const next = tool === "convert" ? "compress" : "convert";
  const added = steps.toSpliced(cursor + 1, 0, writeStep(next, settings[next]));
  studio.dispatch({ type: "steps-chosen", tool: next, settings: settings[next], steps: added, cursor: cursor + 1 });
}

/** Shows another step in the form. */
export function showStep(studio: Studio, index: number): void {
  const state = studio.read();
  if (index === state.cursor || isStopped(studio, stepObstacle(state))) return;
  loadSteps(studio, state.steps, index);
}

export function removeStep(studio: Studio, index: number): void {
  const state = studio.read();
  const { cursor, steps } = state;
  if (index !== cursor && isStopped(studio, stepObstacle(state))) return;
  const left = steps.toSpliced(index, 1);
  loadSteps(studio, left, index < cursor ? cursor - 1 : Math.min(cursor, left.length - 1));
}

/** Removes all steps but the current one. */
export function keepOneStep(studio: Studio): void {
  const { tool, settings } = studio.read();
  studio.dispatch({ type: "steps-chosen", ...planOf(tool, settings) });
}

/** Loads the steps of a recipe. Returns false if the studio cannot show one of them. */
export function loadSteps(studio: Studio, steps: readonly WrittenStep[], index?: number): boolean {
  const chosen = chooseStep(steps, index);
  if (chosen) studio.dispatch({ type: "steps-chosen", ...chosen });
  return chosen !== undefined;
}

/** Shows the obstacle and returns true, if there is one. */
function isStopped(studio: Studio, obstacle: Obstacle | undefined): boolean {
  if (obstacle) studio.dispatch({ type: "obstacle-met", obstacle });
  return obstacle !== undefined;
}

/** Why the current step cannot be part of a recipe, if so. */
function stepObstacle(state: StudioState): Obstacle | undefined {
  const { tool, settings } = formOrder(state);
  const sentence = recipeObstacle({ tool, settings });
  if (sentence === undefined) return undefined;
  return settingObstacle(tool, settings) ?? { field: "background", sentence };
}

const limitObstacle = ({ steps }: StudioState): Obstacle | undefined =>
  steps.length < maxRecipeSteps
    ? undefined
    : { field: "service", sentence: `A recipe can have up to ${maxRecipeSteps} steps.` };
