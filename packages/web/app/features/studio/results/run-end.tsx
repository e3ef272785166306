import { Download, RotateCcw } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { canRetry } from "../state/can-retry.ts";
import { isStale, summarise } from "../state/summary.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";
import { endDetail, endHeadline } from "./end-sentences.ts";

/** What came of the batch, and what to do with it. */
export function RunEnd() {
  const studio = useStudio();
  const run = useStudioState((state) => state.run);
  const pictures = useStudioState((state) => state.pictures);
  const isSubmitNext = useStudioState(isStale);
  if (run?.phase !== "ended") return null;
  const { done } = summarise(pictures);
  const hasRetries = pictures.some(canRetry);
  return (
    <div className="flex flex-col gap-4 lg:flex-row lg:items-center">
      <div className="min-w-0 flex-1">
        <p className="font-serif text-2xl leading-tight">{endHeadline(run, pictures)}</p>
        <p className="mt-1 text-sm text-muted">{endDetail(run, pictures)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {done > 0 && (
          <Button kind={isSubmitNext ? "secondary" : "primary"} onClick={() => studio.act((work) => work.saveAll())}>
            <Download aria-hidden className="size-4" />
            {done === 1 ? "Download" : "Download all"}
          </Button>
        )}
        {hasRetries && (
          <Button kind={done === 0 ? "primary" : "secondary"} onClick={() => studio.act((work) => work.retryFailed())}>
            <RotateCcw aria-hidden className="size-4" />
            Retry what failed
          </Button>
        )}
        {done > 0 && (
          <Button
            kind="quiet"
            title="The results become the pictures for the next tool"
            onClick={() => studio.act((work) => work.adoptResults())}
          >
            Go on with the {done === 1 ? "result" : "results"}
          </Button>
        )}
      </div>
    </div>
  );
}
