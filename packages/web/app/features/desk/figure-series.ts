import {
  type CreditFigure,
  type Currency,
  planLabels,
  planNames,
  type ReportInterval,
  type RevenueFigure,
  type SubscriptionFigure,
  type TierName,
  tasks,
} from "@tintype/contract";
import { dayMs, dayOf, type Step } from "../../lib/day-steps.ts";

/** The selectable periods; a long one is shown by the month. */
export const periods = [
  { value: "30", label: "30 days", days: 30, by: "day" },
  { value: "90", label: "90 days", days: 90, by: "day" },
  { value: "12", label: "12 months", months: 12, by: "month" },
  { value: "36", label: "36 months", months: 36, by: "month" },
] as const;
export type Period = (typeof periods)[number];

/** The days of a period that ends today, UTC. Months are whole except for the current one. */
export function periodDays(period: Period, now: Date): { from: string; to: string; by: ReportInterval } {
  const from =
    period.by === "day"
      ? now.getTime() - (period.days - 1) * dayMs
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - period.months + 1, 1);
  return { from: dayOf(from), to: dayOf(now.getTime()), by: period.by };
}

/** The values of a series, one for each step. */
const valuesOf = <Row extends { step: string }>(
  steps: readonly Step[],
  rows: readonly Row[],
  read: (row: Row) => number,
): number[] => {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.step, (sums.get(row.step) ?? 0) + read(row));
  return steps.map(({ step }) => sums.get(step) ?? 0);
};
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export type Revenue = {
  currency: Currency;
  isTest: boolean;
  payments: number[];
  paidMinor: number[];
  refundedMinor: number[];
};

/** A series for each currency. Those of the gateway's test mode are separate and last. */
export function revenueSeries(steps: readonly Step[], figures: readonly RevenueFigure[]): Revenue[] {
  const series = Map.groupBy(figures, ({ currency, is_test }) => `${is_test ? 1 : 0} ${currency}`);
  return [...series]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([, rows]) => {
      const [first] = rows;
      return first
        ? {
            currency: first.currency,
            isTest: first.is_test,
            payments: valuesOf(steps, rows, ({ payments }) => payments),
            paidMinor: valuesOf(steps, rows, ({ paid_minor }) => paid_minor),
            refundedMinor: valuesOf(steps, rows, ({ refunded_minor }) => refunded_minor),
          }
        : [];
    });
}

export const changeSeries = (steps: readonly Step[], figures: readonly SubscriptionFigure[]) => ({
  new: valuesOf(steps, figures, (row) => row.new),
  lost: valuesOf(steps, figures, (row) => row.lost),
});

export type Part = { label: string; values: number[] };

const tierLabel = (tier: TierName | null): string =>
  tier === null ? "Not recorded" : tier === "guest" ? "Guests" : planLabels[tier];

/** A series for each plan under which credits were used, guests first. */
export const creditsByPlan = (steps: readonly Step[], figures: readonly CreditFigure[]): Part[] =>
  [...(["guest", ...planNames] as const), null]
    .map((plan) => ({
      label: tierLabel(plan),
      values: valuesOf(
        steps,
        figures.filter((row) => row.plan === plan),
        ({ credits }) => credits,
      ),
    }))
    .filter(({ values }) => sumOf(values) > 0);

/** A series for each operation, most credits first. */
export const creditsByTool = (steps: readonly Step[], figures: readonly CreditFigure[]): Part[] =>
  [...Map.groupBy(figures, ({ operation }) => operation)]
    .map(([operation, rows]) => ({
      label: tasks[operation].label,
      values: valuesOf(steps, rows, ({ credits }) => credits),
    }))
    .toSorted((one, other) => sumOf(other.values) - sumOf(one.values));
