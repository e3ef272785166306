import { text } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import type { Run } from "../jobs/http/run.ts";
import { addressFields } from "../jobs/order/order.ts";
import type { Recipes } from "./recipes.ts";

/** Recipes: created, listed, and run through the common path of all tasks. */
export function mountRecipes(mount: Mount, { recipes, run }: { recipes: Recipes; run: Run }): void {
  const { options } = endpoints.runRecipe.form;
  mount(endpoints.runRecipe, ({ request, reply, caller, signal }) =>
    run(request, reply, {
      caller,
      signal,
      order: {
        known: { texts: [...Object.keys(options.shape), ...addressFields], files: ["files"] },
        noFiles: text.selectImage,
        isCharged: true,
        stepsOf: async (fields) => recipes.stepsOf(caller, options.parse(fields).recipe),
      },
    }),
  );
  mount(endpoints.listRecipes, async ({ caller }) => ({ recipes: await recipes.list(caller) }));
  mount(endpoints.createRecipe, ({ caller, body }) => recipes.create(caller.accountId, body));
  mount(endpoints.getRecipe, ({ caller, params }) => recipes.find(caller.accountId, params.id));
  mount(endpoints.replaceRecipe, ({ caller, params, body }) => recipes.replace(caller.accountId, params.id, body));
  mount(endpoints.deleteRecipe, ({ caller, params }) => recipes.remove(caller.accountId, params.id));
}
