import { useId } from "react";
import { countCredits } from "../../lib/count-credits.ts";
import { joinClasses } from "../../lib/join-classes.ts";
import { countOf, formatNumber } from "../../lib/size.ts";
import type { Part } from "./sum-usage.ts";

type Props = { title: string; parts: readonly Part[]; chosen: string; onChoose(value: string): void };

/** The credits of each tool or key. Pressing one filters the chart to it; pressing it again shows all. */
export function UsageParts({ title, parts, chosen, onChoose }: Props) {
  const titleId = useId();
  const max = Math.max(1, ...parts.map(({ credits }) => credits));
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <h2 id={titleId} className="text-2xl">
        {title}
      </h2>
      <ul className="-mx-3 mt-3">
        {parts.map(({ value, label, credits, files }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={value === chosen}
              onClick={() => onChoose(value === chosen ? "" : value)}
              className={joinClasses(
                "w-full rounded-md px-3 py-2.5 text-left transition-colors",
                value === chosen ? "bg-sunken" : "hover:bg-sunken/60",
              )}
            >
              <span className="flex items-baseline gap-4">
                <span className="min-w-0 flex-1 text-sm font-medium wrap-anywhere">{label}</span>
                <span className="text-sm text-muted">
                  <span className="sr-only">{`${countCredits(credits)}, ${countOf(files, "image")}`}</span>
                  <span aria-hidden>{formatNumber(credits)}</span>
                </span>
              </span>
              <span aria-hidden className="mt-2 block h-1 overflow-hidden rounded-full bg-line">
                <span
                  className={joinClasses(
                    "block h-full origin-left rounded-full",
                    chosen && value !== chosen ? "bg-edge" : "bg-ink",
                  )}
                  style={{ transform: `scaleX(${credits / max})` }}
                />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
