import { joinClasses } from "../../../../lib/join-classes.ts";
import { formatBytes, formatNumber } from "../../../../lib/size.ts";
import { type GridView, gridSorts, inGroup, type ResultGroup, resultGroups } from "../../state/grid-view.ts";
import type { Picture } from "../../state/picture.ts";

import { summarise } from "../../state/summary.ts";
import { useStudio } from "../../work/studio-context.tsx";

/** Fewer pictures than this need no filter. */
const groupsFrom = 8;
/** Sides of the grid's cells, px: at most about what a thumbnail has. */
const cells = { min: 96, max: 256 };

type Props = Pick<GridView, "sort" | "cellPx"> & { pictures: readonly Picture[]; group: ResultGroup };

/** Which pictures the grid shows, in which order and how large, and the totals of the finished ones. */
export function GridFilter({ pictures, group, sort, cellPx }: Props) {
  const studio = useStudio();
  const change = (grid: Partial<GridView>) => studio.dispatch({ type: "grid-changed", grid });
  const { beforeBytes, afterBytes } = summarise(pictures);
  const hasGroups = pictures.length >= groupsFrom || group !== "all";
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1 sm:px-4">
      {hasGroups && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
        <div role="group" aria-label="Show" className="-mx-2 flex flex-wrap">
          {resultGroups.map(({ value, label }) => {
            const count = inGroup(pictures, value).length;
            return (
              <button
                key={value}
                type="button"
                aria-pressed={value === group}
                disabled={count === 0}
                onClick={() => change({ group: value })}
                className={joinClasses(
                  "min-h-8 rounded-md px-2.5 text-sm transition-colors disabled:opacity-55",
                  value === group ? "bg-line font-medium text-ink" : "text-muted hover:text-ink",
                )}
              >
                {label} <span className="tabular-nums">{formatNumber(count)}</span>
              </button>
            );
          })}
        </div>
      )}
      {beforeBytes > 0 && (
        <p className="text-sm text-muted tabular-nums max-sm:hidden">
          {formatBytes(beforeBytes)} to {formatBytes(afterBytes)}
        </p>
      )}
      <select
        aria-label="Sort by"
        value={sort}
        onChange={({ target }) =>
          change({ sort: gridSorts.find(({ value }) => value === target.value)?.value ?? "added" })
        }
        className="ml-auto min-h-8 rounded-md border border-line bg-plate px-2 text-sm text-muted hover:text-ink"
      >
        {gridSorts.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        type="range"
        aria-label="Size of the images"
        min={cells.min}
        max={cells.max}
        value={cellPx}
        onChange={({ target }) => change({ cellPx: target.valueAsNumber })}
        className="h-8 w-24 cursor-pointer accent-ink"
      />
    </div>
  );
}
