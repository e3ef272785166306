import { Suspense, useState } from "react";
import { lazyChunk, tryChunk } from "../../../../lib/load-chunk.ts";
import { Button } from "../../../../ui/button.tsx";
import { isRunning } from "../../state/studio-state.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

const RecentResults = lazyChunk(async () => ({
  default: (await import("../results/recent-results.tsx")).RecentResults,
}));
const RecipeDialogs = lazyChunk(() => import("./recipe-dialogs.tsx"));

/** Buttons that open the recipe dialogs and the recent results. Their code loads on demand. */
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
  const buttonProps = { kind: "quiet", size: "sm", disabled: isBusy } as const;
  return (
    <div className="mt-2 flex flex-wrap justify-center">
      <Button {...buttonProps} onClick={() => show("book")}>
        Recipes
      </Button>
      <Button
        {...buttonProps}
        onClick={() => void tryChunk(() => import("./change-steps.ts")).then(({ addStep }) => addStep(studio))}
      >
        Add a step
      </Button>
      <Button {...buttonProps} onClick={() => show("save")}>
        Save or share
      </Button>
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
