import { joinClasses } from "../lib/join-classes.ts";

type Props = {
  label: string;
  /** 0..1. */
  value: number;
  className?: string;
};

/** A progress bar. */
export function Progress({ label, value, className }: Props) {
  const percent = Math.round(value * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={joinClasses("h-1 overflow-hidden rounded-full bg-line", className)}
    >
      <div
        className="h-full origin-left rounded-full bg-accent transition-transform duration-150"
        style={{ transform: `scaleX(${value})` }}
      />
    </div>
  );
}
