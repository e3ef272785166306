import { Suspense, useState } from "react";
import { lazyChunk, tryChunk } from "../../../../lib/load-chunk.ts";
import { Menu, MenuItem } from "../../../../ui/menu.tsx";
import { isRunning } from "../../state/studio-state.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

const RecentResults = lazyChunk(async () => ({
  default: (await import("../results/recent-results.tsx")).RecentResults,
}));
const RecipeDialogs = lazyChunk(() => import("./recipe-dialogs.tsx"));

/** Menu of recipes, and the recent results. Their code loads on demand. */
export function RecipeActions() {
  const studio = useStudio();
  const [open, setOpen] = useState<"book" | "save">();
  const [wasOpen, setWasOpen] = useState(false);
  const isBusy = useStudioState(isRunning);
  const hasRecent = useStudioState(({ recent }) => recent.length > 0);
  const show = (dialog: "book" | "save") => {
    setWasOpen(true);
    setOpen(dialog);
  };
  return (
    <div className="mt-2 flex flex-wrap justify-center">
      <Menu label="Recipe" disabled={isBusy}>
        <MenuItem onClick={() => show("book")}>Recipes</MenuItem>
        <MenuItem
          onClick={() => void tryChunk(() => import("./change-steps.ts")).then(({ addStep }) => addStep(studio))}
        >
          Add a step
        </MenuItem>
        <MenuItem onClick={() => show("save")}>Save or share</MenuItem>
      </Menu>
      {hasRecent && (
        <Suspense fallback={null}>
          <RecentResults />
        </Suspense>
      )}
      {wasOpen && (
        <Suspense fallback={null}>
          <RecipeDialogs open={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
