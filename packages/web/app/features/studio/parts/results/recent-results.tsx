import { tasks } from "@tintype/contract";
import { Check, Download } from "lucide-react";
import { useMemo } from "react";
import { formatTime } from "../../../../lib/format-date.ts";
import { formatBytes, formatChange, formatSides } from "../../../../lib/size.ts";
import { useBlobUrl } from "../../../../lib/use-blob-url.ts";
import { Button } from "../../../../ui/button.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import type { RecentResult } from "../../state/studio-state.ts";
import { maxCacheBytes, maxCacheHours } from "../../work/cache/cache-limits.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Results stored in this browser that are not shown above. */
export function RecentResults() {
  const studio = useStudio();
  const all = useStudioState((state) => state.recent);
  const pictures = useStudioState((state) => state.pictures);
  const recent = useMemo(() => {
    const shown = new Set(pictures.map(({ outcome }) => (outcome.kind === "done" ? outcome.result.key : undefined)));
    return all.filter(({ key }) => !shown.has(key));
  }, [all, pictures]);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent-title" className="border-t border-line px-4 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="recent-title" className="text-xl">
          Recent results
        </h2>
        <p className="mr-auto text-sm text-muted">
          Saved in this browser for {maxCacheHours} hours, up to {formatBytes(maxCacheBytes)}.
        </p>
        <Button kind="quiet" size="sm" className="max-sm:-ml-3" onClick={() => studio.clearRecent()}>
          Clear
        </Button>
      </div>
      <ul aria-label="Recent results" className="mt-2">
        {recent.map((result) => (
          <RecentRow key={result.key} result={result} />
        ))}
      </ul>
    </section>
  );
}

function RecentRow({ result }: { result: RecentResult }) {
  const studio = useStudio();
  const url = useBlobUrl(result.key, () => studio.thumbOf(result.key));
  const { key, name, tool, keptAtMs, isSaved } = result;
  const Icon = isSaved ? Check : Download;
  return (
    <li className="flex items-center gap-3 py-2 sm:gap-4">
      <span className="size-12 shrink-0 overflow-hidden rounded-sm bg-sunken">
        {url && <img src={url} alt="" className="checkerboard size-full object-cover" />}
      </span>
      <div className="min-w-0 flex-1">
        <FileName name={name} className="text-sm font-medium" />
        <p className="text-xs text-muted">
          {tasks[tool].label} · {gainOf(result)} · <span className="whitespace-nowrap">{formatTime(keptAtMs)}</span>
        </p>
      </div>
      <button
        type="button"
        aria-label={`Download ${name}`}
        onClick={() => studio.saveRecent(key)}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
      >
        <Icon aria-hidden className="size-4.5" />
      </button>
    </li>
  );
}

function gainOf({ tool, sourceBytes, sourceName, format, sizeBytes, sides }: RecentResult): string {
  const wasDrawn = format !== "svg" && /[.]svg$/i.test(sourceName);
  if ((tool === "compress" || tool === "convert") && !wasDrawn) return formatChange(sourceBytes, sizeBytes);
  return `${formatSides(sides.widthPx, sides.heightPx)}, ${formatBytes(sizeBytes)}`;
}
