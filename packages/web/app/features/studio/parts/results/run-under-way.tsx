import { useEffect, useRef, useState } from "react";
import { countOf, formatBytes } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { Progress } from "../../../../ui/progress.tsx";
import { serverLost } from "../../state/announcements.ts";
import type { Picture } from "../../state/picture.ts";
import type { Run } from "../../state/studio-state.ts";
import { runProgress, summarise, timeLeft } from "../../state/summary.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { queuePosition, stageOf } from "../stage/work-overlay.tsx";

export function RunUnderWay() {
  const studio = useStudio();
  const run = useStudioState((state) => state.run);
  const pictures = useStudioState((state) => state.pictures);
  const progress = useStudioState(runProgress);
  const left = useTimeLeft(run?.phase, progress);
  const link = run && "link" in run ? run.link : undefined;
  // From the loss of the connection until events arrive again.
  const [isLost, setIsLost] = useState(false);
  const isLostNow = link === "lost" || (isLost && (link === "reconnecting" || link === "offline"));
  if (isLost !== isLostNow) setIsLost(isLostNow);
  const inRun = pictures.filter(({ id }) => run?.ids.includes(id));
  useCountInTitle(summarise(inRun).done, inRun.length);
  if (!run) return null;
  const isConnected = link === undefined || link === "live";
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <p className="mb-2 text-sm">{[sentenceOf(run, inRun), isConnected && left].filter(Boolean).join(" · ")}</p>
        <Progress label="The whole batch" value={progress} />
      </div>
      {isLostNow && (
        // `aria-disabled` while reconnecting, because `disabled` would lose the focus.
        <Button
          kind="primary"
          aria-disabled={link !== "lost"}
          onClick={() => link === "lost" && studio.dispatch({ type: "reconnected" })}
        >
          Try again
        </Button>
      )}
      {run.phase !== "delivering" && <Button onClick={() => studio.dispatch({ type: "cancelled" })}>Cancel</Button>}
    </div>
  );
}

/** The tab's title counts a batch's finished pictures, for somebody who looks at another tab meanwhile. */
function useCountInTitle(done: number, count: number): void {
  useEffect(() => {
    if (count < 2) return;
    const before = document.title;
    const counted = `${done} of ${count} · ${before}`;
    document.title = counted;
    return () => {
      if (document.title === counted) document.title = before; // another page has set its own
    };
  }, [done, count]);
}

/** Estimates from the pace of the current phase, because the upload's pace says nothing about the work after it. */
function useTimeLeft(phase: Run["phase"] | undefined, share: number): string {
  const [phaseStart, setPhaseStart] = useState({ phase, atMs: 0, share: 0 });
  const [nowMs, setNowMs] = useState(0);
  const latestShare = useRef(share);
  useEffect(() => {
    latestShare.current = share;
    setNowMs(performance.now());
  }, [share]);
  useEffect(() => setPhaseStart({ phase, atMs: performance.now(), share: latestShare.current }), [phase]);
  if (phaseStart.phase !== phase || phaseStart.atMs === 0) return "";
  return timeLeft({
    elapsedMs: nowMs - phaseStart.atMs,
    share: (share - phaseStart.share) / Math.max(0.001, 1 - phaseStart.share),
  });
}

function sentenceOf(run: Run, pictures: readonly Picture[]): string {
  const isMany = pictures.length > 1;
  const done = isMany ? `${summarise(pictures).done} of ${pictures.length} done` : "";
  if (run.phase === "sending") {
    if (run.delay) return run.delay;
    const sent = run.totalBytes === 0 ? "" : ` · ${formatBytes(run.sentBytes)} of ${formatBytes(run.totalBytes)}`;
    return `Uploading${sent}`;
  }
  if (run.phase === "ended") return "";
  if (run.link === "offline")
    return "You are offline. Processing continues, and results download when you are back online.";
  if (run.link === "reconnecting") return "The connection was lost. Reconnecting...";
  if (run.link === "lost") return serverLost;
  if (run.phase === "delivering") return ["Downloading results", done].filter(Boolean).join(" · ");
  if (run.position) return `In the queue, ${countOf(run.position, "image")} ahead of yours`;
  const [first] = pictures;
  return isMany || !first ? ["Working", done].filter(Boolean).join(" · ") : stageOf(first, queuePosition(run));
}
