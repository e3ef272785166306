import { joinClasses } from "../../../lib/join-classes.ts";

type Props = { used: number; limit: number; window: "month" | "day" | undefined };

/** Credits used out of the limit, in figures and as a bar. */
export function UsageIndicator({ used, limit, window }: Props) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const when = window === undefined ? "" : { month: " this month", day: " today" }[window];
  return (
    <div title={`${used} of ${limit} credits used${when}`} className="mr-1 min-w-16 text-xs sm:min-w-20">
      <p aria-hidden className="mb-1 whitespace-nowrap text-muted">
        <span className="font-medium text-ink">{used}</span> of {limit}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: each browser draws a meter element in a way of its own */}
      <div
        role="meter"
        aria-label="Credits used"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={used}
        aria-valuetext={`${used} of ${limit}`}
        className="h-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className={joinClasses(
            "h-full origin-left rounded-full transition-transform duration-150",
            share === 1 ? "bg-accent" : "bg-ink",
          )}
          style={{ transform: `scaleX(${share})` }}
        />
      </div>
    </div>
  );
}
