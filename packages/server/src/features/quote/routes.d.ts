import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ledger } from "../credits/ledger.ts";
import type { Recipes } from "../recipes/recipes.ts";
type QuoteRoutes = {
    ledger: Ledger;
    clock: Clock;
    recipes: Recipes;
};
export declare function mountQuote(mount: Mount, { recipes, ...use }: QuoteRoutes): void;
export {};
