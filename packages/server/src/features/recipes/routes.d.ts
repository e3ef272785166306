import type { Mount } from "../../http/endpoint.ts";
import type { Run } from "../images/run.ts";
import type { Recipes } from "./recipes.ts";
/** Recipes: kept, listed, and run over the one path of all work. */
export declare function mountRecipes(mount: Mount, { recipes, run }: {
    recipes: Recipes;
    run: Run;
}): void;
