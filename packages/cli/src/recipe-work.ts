import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { readSteps, recipeNamed, type Work } from "@tintype/toolkit";
import type { Session } from "./session.ts";

const refuse = (detail: string): never => {
  throw new DomainError("invalid-request", { detail });
};

/** The steps of a recipe, by its name or the path of a JSON file. @throws not-found, invalid-request */
export async function recipeWork(name: string, { backend }: Session): Promise<Work> {
  if (!name.endsWith(".json")) return { steps: recipeNamed(name, await backend.recipes()).steps };
  const text = await readFile(name, "utf8").catch(() => refuse(`The recipe ${name} cannot be read.`));
  try {
    const written: unknown = JSON.parse(text);
    return { steps: readSteps(written instanceof Object && "steps" in written ? written.steps : written) };
  } catch (problem) {
    return refuse(`${name}: ${problem instanceof DomainError ? problem.detail : "this is no JSON."}`);
  }
}
