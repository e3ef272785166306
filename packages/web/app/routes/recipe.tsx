import { SharedRecipe } from "../features/studio/parts/recipe/shared-recipe.tsx";
import { StudioSection } from "../features/studio/studio-section.tsx";
import { unlistedMeta } from "../lib/seo.ts";

export const meta = () => unlistedMeta("Shared recipe");

/** What a shared link does, and the studio set to do it. */
export default function RecipePage() {
  return (
    <div className="page-width">
      <SharedRecipe />
      <StudioSection />
    </div>
  );
}
