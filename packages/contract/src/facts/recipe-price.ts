import { costsCredits, type TaskName, tasks } from "./operations/index.ts";

export const mostRecipeSteps = 6;

/**
 * The price of a file: a credit for each step that runs a network, and one where none does. Free tasks cost nothing. Decision
 * 25 tells why.
 */
export function creditsPerFile(steps: readonly { operation: TaskName }[]): number {
  if (!steps.some(({ operation }) => costsCredits(operation))) return 0;
  return Math.max(1, steps.filter(({ operation }) => tasks[operation].work === "model").length);
}
