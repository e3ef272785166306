import type { WrittenStep } from "@tintype/contract";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { isPrivate } from "../../../../lib/brand.ts";
import { countOf } from "../../../../lib/size.ts";
import { priceOf } from "../../state/order.ts";
import { FilePicker } from "../stage/file-picker.tsx";
import { describeStep } from "./describe-step.ts";
import { readLink, readLinkName } from "./recipe-link.ts";

/** What a shared link does: its name, its steps, and the way to try it. Its fragment never reaches the server. */
export function SharedRecipe() {
  const { hash } = useLocation();
  const [recipe, setRecipe] = useState<{ name: string; steps: readonly WrittenStep[] }>();
  // After mount: the server rendering knows no fragment.
  useEffect(() => {
    const plan = readLink(hash);
    if (plan) setRecipe({ name: readLinkName(hash), steps: plan.steps });
  }, [hash]);
  return (
    <div className="pt-8 pb-7 sm:pt-12 sm:pb-9">
      <p className="text-sm text-muted">Shared recipe</p>
      <h1 className="mt-1 text-[clamp(2rem,4.6vw,3.25rem)] wrap-anywhere">{recipe?.name || "What this recipe does"}</h1>
      {recipe ? (
        <>
          <ol aria-label="Steps of the recipe" className="mt-4 flex flex-col gap-1 sm:text-lg">
            {recipe.steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be equal
              <li key={index} className="flex gap-3 wrap-anywhere">
                <span className="text-muted">{index + 1}</span>
                {describeStep(step)}
              </li>
            ))}
          </ol>
          <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            <FilePicker kind="primary" size="lg">
              Try with your image
            </FilePicker>
            {!isPrivate && <p className="text-sm text-muted">{countOf(priceOf(recipe.steps), "credit")} per image</p>}
          </div>
        </>
      ) : (
        <p className="mt-3 text-muted">This page shows what a shared link does. Open the link again to see it.</p>
      )}
    </div>
  );
}
