import { tasks } from "@tintype/contract";
import { Check, Download } from "lucide-react";
import { useMemo, useState } from "react";
import { formatMoment } from "../../../../lib/format-date.ts";
import { countOf, formatBytes, formatChange, formatSides } from "../../../../lib/size.ts";
import { useBlobUrl } from "../../../../lib/use-blob-url.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import type { RecentResult } from "../../state/studio-state.ts";
import { maxCacheBytes, maxCacheHours } from "../../work/cache/cache-limits.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Opens the results stored in this browser, batch by batch. */
export function RecentResults() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" size="sm" onClick={() => setIsOpen(true)}>
        Recent results
      </Button>
      <Dialog
        title="Recent results"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        className="my-0 mr-0 ml-auto h-dvh max-h-none max-w-md rounded-r-none"
      >
        <Batches onCleared={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function Batches({ onCleared }: { onCleared(): void }) {
  const studio = useStudio();
  const recent = useStudioState((state) => state.recent);
  const batches = useMemo(() => [...Map.groupBy(recent, ({ batch = "" }) => batch)], [recent]);
  const clear = () => {
    onCleared();
    studio.clearRecent();
  };
  return (
    <>
      <p className="text-sm text-muted">
        Saved in this browser for {maxCacheHours} hours, up to {formatBytes(maxCacheBytes)}.
      </p>
      <ul aria-label="Recent results" className="mt-3 flex flex-col gap-1">
        {batches.map(([batch, results]) => (
          <Batch key={batch} results={results} />
        ))}
      </ul>
      <Button kind="quiet" size="sm" className="mt-4 -ml-3" onClick={clear}>
        Clear
      </Button>
    </>
  );
}

/** A batch, or the result that it consists of. Its images are listed when they are asked for. */
function Batch({ results }: { results: readonly RecentResult[] }) {
  const [isListed, setIsListed] = useState(false);
  const [first] = results;
  if (!first) return null;
  const { tool, keptAtMs } = first;
  if (results.length === 1)
    return <ResultRow result={first} facts={[tasks[tool].label, gainOf(first), formatMoment(keptAtMs)].join(" · ")} />;
  const bytes = results.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const count = countOf(results.length, "image");
  return (
    <li>
      <div className="flex items-center gap-3 py-2">
        <Cover result={first} />
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium">
            {tasks[tool].label} · {count}
          </p>
          <p className="text-xs text-muted">
            {formatMoment(keptAtMs)} · {formatBytes(bytes)}
          </p>
          <button
            type="button"
            aria-expanded={isListed}
            onClick={() => setIsListed(!isListed)}
            className="text-xs text-muted underline underline-offset-2 hover:text-ink"
          >
            {isListed ? "Hide images" : "Show images"}
          </button>
        </div>
        <Save results={results} label={`Download ${count} as a ZIP`} />
      </div>
      {isListed && (
        <ul aria-label={`${tasks[tool].label}, ${count}`} className="ml-3 border-l border-line pl-3">
          {results.map((result) => (
            <ResultRow key={result.key} result={result} facts={gainOf(result)} />
          ))}
        </ul>
      )}
    </li>
  );
}

function ResultRow({ result, facts }: { result: RecentResult; facts: string }) {
  const { name } = result;
  return (
    <li className="flex items-center gap-3 py-2">
      <Cover result={result} />
      <div className="min-w-0 flex-1">
        <FileName name={name} className="text-sm font-medium" />
        <p className="text-xs text-muted">{facts}</p>
      </div>
      <Save results={[result]} label={`Download ${name}`} />
    </li>
  );
}

function Cover({ result: { key } }: { result: RecentResult }) {
  const studio = useStudio();
  const url = useBlobUrl(key, () => studio.thumbOf(key));
  return (
    <span className="size-12 shrink-0 overflow-hidden rounded-sm bg-sunken">
      {url && <img src={url} alt="" className="checkerboard size-full object-cover" />}
    </span>
  );
}

function Save({ results, label }: { results: readonly RecentResult[]; label: string }) {
  const studio = useStudio();
  const Icon = results.every(({ isSaved }) => isSaved) ? Check : Download;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => studio.saveRecent(results.map(({ key }) => key))}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  );
}

function gainOf({ tool, sourceBytes, sourceName, format, sizeBytes, sides }: RecentResult): string {
  const wasDrawn = format !== "svg" && /[.]svg$/i.test(sourceName);
  if ((tool === "compress" || tool === "convert") && !wasDrawn) return formatChange(sourceBytes, sizeBytes);
  return `${formatSides(sides.widthPx, sides.heightPx)}, ${formatBytes(sizeBytes)}`;
}
