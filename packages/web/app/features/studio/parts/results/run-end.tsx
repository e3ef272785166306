import { Download, RotateCcw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { isPrivate } from "../../../../lib/brand.ts";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { Menu, MenuItem } from "../../../../ui/menu.tsx";
import { creditsLeft } from "../../state/credits.ts";
import { inGroup } from "../../state/grid-view.ts";
import { retryable } from "../../state/retryable.ts";
import { summarise } from "../../state/summary.ts";
import { isStale } from "../../state/to-send.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { creditSentence, endDetail, endHeadline } from "./end-sentences.ts";
import { NamePattern, SaveItems } from "./save-actions.tsx";
import { useDragOut } from "./use-drag-out.ts";

/** The outcome of the batch and the next steps. */
export function RunEnd() {
  const studio = useStudio();
  const run = useStudioState((state) => state.run);
  const pictures = useStudioState((state) => state.pictures);
  const isSubmitNext = useStudioState(isStale);
  const left = useStudioState(creditsLeft);
  const [isNaming, setIsNaming] = useState(false);
  const { done } = summarise(pictures);
  const dragged = useDragOut(done === 1 ? pictures.find(({ outcome }) => outcome.kind === "done")?.id : undefined);
  if (run?.phase !== "ended") return null;
  const attention = pictures.length > 1 ? inGroup(pictures, "rest").length : 0;
  const retries = retryable({ run, pictures });
  const wasCancelled = retries.some(({ outcome }) => outcome.kind === "cancelled");
  const canRunAgain = pictures.filter(({ id, file }) => file && run.reusedIds.includes(id)).length;
  return (
    <>
      <div className="flex flex-col gap-4">
        <div className="min-w-0">
          <p className="font-serif text-2xl leading-tight">{endHeadline(run, pictures)}</p>
          <p className="mt-1 text-sm text-muted">{endDetail(run, pictures)}</p>
          <p className="mt-1 text-sm text-muted">{creditSentence(run, left)}</p>
          {run.problem && (
            <p role="alert" className="mt-1 text-sm text-accent-ink">
              {run.problem}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {done > 0 && (
            <Button
              kind={isSubmitNext ? "secondary" : "primary"}
              onClick={() => studio.saveAll()}
              title={dragged && "Click to download, or drag it to a folder or another app"}
              {...dragged}
            >
              <Download aria-hidden className="size-4" />
              {done === 1 ? "Download" : "Download all"}
            </Button>
          )}
          {attention > 0 && (
            <Button onClick={() => studio.dispatch({ type: "grid-changed", grid: { isOpen: true, group: "rest" } })}>
              <TriangleAlert aria-hidden className="size-4" />
              Show {attention} that {attention === 1 ? "needs" : "need"} attention
            </Button>
          )}
          {retries.length > 0 && (
            <Button
              kind={done === 0 ? "primary" : "secondary"}
              onClick={() => studio.dispatch({ type: "retried", ids: new Set(retries.map(({ id }) => id)) })}
            >
              <RotateCcw aria-hidden className="size-4" />
              {wasCancelled ? `Run the remaining ${retries.length}` : "Retry failed"}
            </Button>
          )}
          {(done > 0 || canRunAgain > 0) && (
            <Menu label="More" aria-label="More for the result">
              {done > 0 && <SaveItems onRename={() => setIsNaming(true)} />}
              {done > 0 && (
                <MenuItem onClick={() => studio.dispatch({ type: "results-adopted" })}>
                  {done === 1 ? "Keep editing" : "Keep editing the results"}
                </MenuItem>
              )}
              {canRunAgain > 0 && (
                <MenuItem onClick={() => studio.dispatch({ type: "run-again" })}>
                  Run again{!isPrivate && ` · ${countOf(canRunAgain, "credit")}`}
                </MenuItem>
              )}
            </Menu>
          )}
        </div>
      </div>
      {done > 0 && isNaming && <NamePattern />}
    </>
  );
}
