import { costsCredits, type TaskName, tasks } from "./operations/index.ts";

export const maxRecipeSteps = 6;

/**
 * The price of a file: one credit for each step that runs a neural network, or one credit if none does. Free tasks cost
 * nothing. See decision 25 for the reasons.
 */
export function creditsPerFile(steps: readonly { operation: TaskName }[]): number {
  if (!steps.some(({ operation }) => costsCredits(operation))) return 0;
  return Math.max(1, steps.filter(({ operation }) => tasks[operation].work === "model").length);
}
