import { isPrivate } from "../../lib/brand.ts";
import { countCredits } from "../../lib/count-credits.ts";
import { formatNumber } from "../../lib/size.ts";
import type { Bar, Span } from "./sum-usage.ts";

/** Credits per day or month, as bars. The table below the chart has the same numbers. */
export function UsageChart({ bars, by }: { bars: readonly Bar[]; by: Span["by"] }) {
  const max = Math.max(0, ...bars.map(({ credits }) => credits));
  const highest = bars.find(({ credits }) => credits === max);
  const [first, last] = [bars.at(0), bars.at(-1)];
  const summary = `${isPrivate ? "Uses" : "Credits"} per ${by}, ${first?.label} to ${last?.label}. Most: ${countCredits(max)}, ${highest?.label}.`;
  return (
    <figure className="mt-6">
      <div role="img" aria-label={summary} className="relative h-56 border-b border-edge pt-6">
        <p aria-hidden className="absolute top-0 left-0 text-xs text-muted">
          {formatNumber(max)}
        </p>
        <div aria-hidden className="absolute inset-x-0 top-6 border-t border-dashed border-line" />
        <div className="flex h-full items-end gap-px sm:gap-0.5">
          {bars.map(({ start, label, credits }) => (
            <div
              key={start}
              title={`${label}: ${countCredits(credits)}`}
              className="group flex h-full min-w-0 flex-1 items-end"
            >
              <div
                className="w-full rounded-t-xs bg-ink transition-colors group-hover:bg-accent"
                style={{ height: `${(credits / Math.max(1, max)) * 100}%`, minHeight: credits > 0 ? 2 : 0 }}
              />
            </div>
          ))}
        </div>
      </div>
      <figcaption aria-hidden className="mt-2 flex justify-between text-xs text-muted">
        <span>{first?.label}</span>
        <span>{last?.label}</span>
      </figcaption>
    </figure>
  );
}
