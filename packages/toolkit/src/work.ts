import { readFile } from "node:fs/promises";
import {
  DomainError,
  type OperationName,
  operationNames,
  presets,
  type RecipeStep,
  unknownName,
} from "@tintype/contract";
import { recipeSteps } from "@tintype/contract/schemas";
import type { Backend, NamedRecipe, Work } from "./backend.ts";

const refuse = (detail: string): never => {
  throw new DomainError("invalid-request", { detail });
};

export const isOperation = (name: string): name is OperationName => operationNames.some((one) => one === name);

/** The steps of a recipe as people write it: `[{"resize": {"width": 1200}}]`. @throws invalid-request */
export function readSteps(written: unknown): [RecipeStep, ...RecipeStep[]] {
  const parsed = recipeSteps.safeParse(written);
  if (!parsed.success) return refuse(parsed.error.issues[0]?.message ?? "The recipe cannot be read.");
  const [first, ...others] = parsed.data;
  return first ? [first, ...others] : refuse("A recipe has at least one step.");
}

/** The built-in recipes. */
export const shippedRecipes = (): NamedRecipe[] =>
  presets.map(({ name, about, steps }) => ({ name, about, steps: readSteps(steps) }));

/** @throws not-found, with the closest name as a suggestion */
export function recipeNamed(name: string, recipes: readonly NamedRecipe[]): NamedRecipe {
  const found = recipes.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  throw new DomainError("not-found", {
    detail: unknownName(
      name,
      recipes.map((one) => one.name),
      "recipe",
    ),
  });
}

/** The steps of a recipe, by its name or the path of a JSON file. @throws not-found, invalid-request */
export async function recipeWork(name: string, backend: Pick<Backend, "recipes">): Promise<Work> {
  if (!name.endsWith(".json")) return { steps: recipeNamed(name, await backend.recipes()).steps };
  const text = await readFile(name, "utf8").catch(() => refuse(`The recipe ${name} cannot be read.`));
  try {
    const written: unknown = JSON.parse(text);
    return { steps: readSteps(written instanceof Object && "steps" in written ? written.steps : written) };
  } catch (problem) {
    return refuse(`${name}: ${problem instanceof DomainError ? problem.detail : "this is no JSON."}`);
  }
}
