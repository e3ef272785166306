import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ledger } from "../credits/ledger.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { makeQuote } from "./quote.ts";

type QuoteRoutes = { ledger: Ledger; clock: Clock; recipes: Recipes };

export function mountQuote(mount: Mount, { recipes, ...use }: QuoteRoutes): void {
  mount(endpoints.quote, async ({ caller, body: { work, isOpen, files } }) =>
    makeQuote({ caller, steps: await recipes.stepsOf(caller, work), isOpen, files }, use),
  );
}
