import { mostRecipeSteps, type WrittenStep } from "@tintype/contract";
import { settingObstacle } from "../state/form-fields.ts";
import { allSteps, chooseStep, recipeObstacle } from "../state/steps.ts";
import type { Obstacle, StudioState } from "../state/studio-state.ts";
import type { Studio } from "../studio.ts";

// The person's changes of the steps. The form's own step is written down before another takes its place.

/** The place of the form's step among all. */
export const placeOf = ({ others }: Pick<StudioState, "others">): number => others?.before.length ?? 0;

/** A step after the form's, which then is the form's. */
export function addStep(studio: Studio): void {
  const state = studio.read();
  const { tool, settings } = state;
  if (isStopped(studio, unsound(state) ?? full(state))) return;
  const steps = allSteps(state);
  const next = tool === "convert" ? "compress" : "convert";
  const others = { before: steps.slice(0, placeOf(state) + 1), after: steps.slice(placeOf(state) + 1) };
  studio.dispatch({ type: "steps-chosen", tool: next, settings: settings[next], others });
}

/** Shows another step in the form. */
export function showStep(studio: Studio, index: number): void {
  const state = studio.read();
  if (index === placeOf(state)) return;
  if (isStopped(studio, unsound(state))) return;
  takeSteps(studio, allSteps(state), index);
}

export function removeStep(studio: Studio, index: number): void {
  const state = studio.read();
  const place = placeOf(state);
  if (index !== place && isStopped(studio, unsound(state))) return;
  const left = allSteps(state).toSpliced(index, 1);
  takeSteps(studio, left, index < place ? place - 1 : Math.min(place, left.length - 1));
}

/** Only the form's own step stays. */
export function keepOneStep(studio: Studio): void {
  const { tool, settings } = studio.read();
  studio.dispatch({ type: "steps-chosen", tool, settings: settings[tool], others: undefined });
}

/** Takes the steps of a recipe; false where the studio has no form for one of them. */
export function takeSteps(studio: Studio, steps: readonly WrittenStep[], index?: number): boolean {
  const chosen = chooseStep(steps, index);
  if (chosen) studio.dispatch({ type: "steps-chosen", ...chosen });
  return chosen !== undefined;
}

/** Says what stands in the way, if anything does. */
function isStopped(studio: Studio, obstacle: Obstacle | undefined): boolean {
  if (obstacle) studio.dispatch({ type: "obstacle-met", obstacle });
  return obstacle !== undefined;
}

/** The reason that the form's step cannot be written down. */
function unsound(state: StudioState): Obstacle | undefined {
  const sentence = recipeObstacle(state);
  if (sentence === undefined) return undefined;
  return settingObstacle(state.tool, state.settings) ?? { field: "background", sentence };
}

const full = (state: StudioState): Obstacle | undefined =>
  allSteps(state).length < mostRecipeSteps
    ? undefined
    : { field: "service", sentence: `A recipe has at most ${mostRecipeSteps} steps.` };
