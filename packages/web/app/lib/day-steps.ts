import { locale } from "@tintype/contract";

type Span = {
  /** First day, `2026-11-22`, UTC. */
  from: string;
  /** Last day. */
  to: string;
  by: "day" | "month";
};

/** A day as `2026-11-22`, a month as `2026-11`. */
export type Step = { step: string; label: string };

export const dayMs = 86_400_000;

/** `2026-11-22`, UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Every day or month of the span. */
export function stepsOf({ from, to, by }: Span): Step[] {
  const length = by === "month" ? "2026-11".length : "2026-11-22".length;
  const steps = new Set<string>();
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs)
    steps.add(new Date(ms).toISOString().slice(0, length));
  return [...steps].map((step) => ({ step, label: labelOf(step) }));
}

/** `2026-11-22` is `Nov 22`, `2026-11` is `Nov 2026`. */
export const labelOf = (step: string): string =>
  new Intl.DateTimeFormat(locale, {
    month: "short",
    timeZone: "UTC",
    ...(step.length > "2026-11".length ? { day: "numeric" } : { year: "numeric" }),
  }).format(new Date(step));
