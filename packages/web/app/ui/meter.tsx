import { joinClasses } from "../lib/join-classes.ts";
import { formatNumber } from "../lib/size.ts";

type Props = {
  label: string;
  value: number;
  max: number;
  className?: string;
};

/** How much of something is used, as a bar that takes the accent colour when nothing is left. */
export function Meter({ label, value, max, className = "h-1" }: Props) {
  const share = max === 0 ? 1 : Math.min(1, value / max);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers style the meter element differently
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={`${formatNumber(value)} of ${formatNumber(max)}`}
      className={joinClasses("overflow-hidden rounded-full bg-line", className)}
    >
      <div
        className={joinClasses(
          "h-full origin-left rounded-full transition-transform duration-150",
          share === 1 ? "bg-accent" : "bg-ink",
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
