import { type ChosenRecipe, type Recipe, type RecipeStep } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
type NewRecipe = {
    name: string;
    steps: RecipeStep[];
};
/** Recipes that people keep, and those that ship with the product. */
export type Recipes = {
    list(caller: Caller): Promise<Recipe[]>;
    /** @throws not-found, for anybody else's too */
    find(accountId: string, id: string): Promise<Recipe>;
    /** @throws conflict where the name is taken, or there are too many */
    create(accountId: string, recipe: NewRecipe): Promise<Recipe>;
    /** @throws not-found, conflict */
    replace(accountId: string, id: string, recipe: NewRecipe): Promise<Recipe>;
    /** @throws not-found */
    remove(accountId: string, id: string): Promise<void>;
    /** The steps of a chosen recipe: the caller's own of that name, or the product's. @throws not-found */
    stepsOf(caller: Caller, chosen: ChosenRecipe): Promise<readonly [RecipeStep, ...RecipeStep[]]>;
};
export declare function createRecipes({ db, clock }: {
    db: Database;
    clock: Clock;
}): Recipes;
export {};
