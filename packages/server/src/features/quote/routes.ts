import { DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { makeQuote, type QuoteDependencies } from "./quote.ts";

type QuoteRoutes = QuoteDependencies & { recipes: Recipes; takesUrls: boolean };

export function mountQuote(mount: Mount, { recipes, takesUrls, ...dependencies }: QuoteRoutes): void {
  mount(endpoints.quote, async ({ caller, body: { work, isOpen, files } }) => {
    const fetched = files.findIndex((file) => file.image_url !== undefined);
    if (fetched >= 0 && !takesUrls)
      throw new DomainError("invalid-request", {
        field: `files.${fetched}.image_url`,
        detail: "This server does not fetch images. Describe the image by width, height, size_bytes and format.",
        cause: "TINTYPE_URL_INPUT is off",
      });
    return makeQuote({ caller, steps: await recipes.stepsOf(caller, work), isOpen, files }, dependencies);
  });
}
