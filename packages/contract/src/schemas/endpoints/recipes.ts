import { z } from "zod";
import type { Endpoint } from "../endpoint.ts";
import { newRecipe, recipe, recipeField, recipes } from "../recipe.ts";
import { anyCall, bodyErrors, callerErrors, operationErrors, personErrors } from "./errors.ts";

const write = { tag: "Recipes", access: "person", scope: "recipes:write" } as const;

export const recipeEndpoints = {
  runRecipe: {
    tag: "Recipes",
    method: "POST",
    path: "/recipes/run",
    summary: "Run several steps on each picture, with no loss in between",
    description:
      "A file costs one credit per step that runs a neural network, and one in all if no step does. If a step fails, the file's credits are refunded.",
    access: "guest-or-person",
    scope: "process",
    form: { options: z.object({ recipe: recipeField }), files: "files" },
    example: { fields: { recipe: "avatar" } },
    response: {
      status: 200,
      kind: "picture",
      message: true,
      description: "As for a single operation: the picture, or a ZIP with `report.json`.",
    },
    errors: [...operationErrors, "not-found"],
  },
  listRecipes: {
    tag: "Recipes",
    method: "GET",
    path: "/recipes",
    summary: "List your recipes and the built-in ones",
    access: "guest-or-person",
    scope: "process",
    response: { status: 200, body: recipes, description: "Your own recipes first." },
    errors: [...anyCall, ...callerErrors],
  },
  createRecipe: {
    ...write,
    method: "POST",
    path: "/recipes",
    summary: "Save a recipe",
    body: newRecipe,
    example: { body: { name: "shop", steps: [{ resize: { width: 1200 } }, { convert: { target_format: "webp" } }] } },
    response: { status: 201, body: recipe, description: "The recipe." },
    errors: [...personErrors, ...bodyErrors, "conflict"],
  },
  getRecipe: {
    tag: "Recipes",
    method: "GET",
    path: "/recipes/{id}",
    summary: "One recipe",
    access: "person",
    scope: "process",
    response: { status: 200, body: recipe, description: "The recipe." },
    errors: [...personErrors, "not-found"],
  },
  replaceRecipe: {
    ...write,
    method: "PUT",
    path: "/recipes/{id}",
    summary: "Update a recipe",
    body: newRecipe,
    example: { body: { name: "shop 2", steps: [{ resize: { width: 1600 } }] } },
    response: { status: 200, body: recipe, description: "The updated recipe." },
    errors: [...personErrors, ...bodyErrors, "not-found", "conflict"],
  },
  deleteRecipe: {
    ...write,
    method: "DELETE",
    path: "/recipes/{id}",
    summary: "Delete a recipe",
    response: { status: 204, description: "It is gone." },
    errors: [...personErrors, "not-found"],
  },
} as const satisfies Record<string, Endpoint>;
