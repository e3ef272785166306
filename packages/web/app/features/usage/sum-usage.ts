import { type OperationName, tasks, type Usage, type UsageRow } from "@tintype/contract";
import { dayMs, dayOf, stepsOf } from "../../lib/day-steps.ts";

/** The selectable spans; a long one is shown by the month. */
export const spans = [
  { value: "7", label: "7 days", days: 7, by: "day" },
  { value: "30", label: "30 days", days: 30, by: "day" },
  { value: "90", label: "90 days", days: 90, by: "day" },
  { value: "365", label: "A year", days: 365, by: "month" },
] as const;
export type Span = (typeof spans)[number];

/** The first and last day of a span that ends today, UTC. */
export function spanDays({ days }: Pick<Span, "days">, now: Date): { from: string; to: string } {
  return { from: dayOf(now.getTime() - (days - 1) * dayMs), to: dayOf(now.getTime()) };
}

/** The rows of the website and of keys that no longer exist need a value too. */
export const keyValue = ({ key }: Pick<UsageRow, "key">): string => key?.id ?? "website";
export const keyLabel = ({ key }: Pick<UsageRow, "key">): string => {
  if (!key) return "Website";
  return key.name === null ? "A removed key" : `${key.name} …${key.last_four}`;
};
export const toolLabel = (operation: OperationName): string => tasks[operation].label;

/** Empty means all. */
export type Filter = { operation: string; key: string };
export const filterRows = (rows: readonly UsageRow[], { operation, key }: Filter): readonly UsageRow[] =>
  rows.filter((row) => (!operation || row.operation === operation) && (!key || keyValue(row) === key));

export const creditsOf = (rows: readonly UsageRow[]): number => rows.reduce((sum, { credits }) => sum + credits, 0);
export const filesOf = (rows: readonly UsageRow[]): number => rows.reduce((sum, { files }) => sum + files, 0);

export type Bar = { start: string; label: string; credits: number };

/** A bar for each day or month of the span, including those without usage. */
export function barsOf({ from, to }: Pick<Usage, "from" | "to">, rows: readonly UsageRow[], by: Span["by"]): Bar[] {
  const length = by === "month" ? "2026-11".length : "2026-11-22".length;
  const bars = new Map(
    stepsOf({ from, to, by }).map(({ step, label }): [string, Bar] => [step, { start: step, label, credits: 0 }]),
  );
  for (const { day, credits } of rows) {
    const bar = bars.get(day.slice(0, length));
    if (bar) bar.credits += credits;
  }
  return [...bars.values()];
}

export type Part = { value: string; label: string; credits: number; files: number };

/** The rows grouped by a shared property, most credits first. */
export function partsOf(
  rows: readonly UsageRow[],
  { groupBy, nameOf }: { groupBy(row: UsageRow): string; nameOf(row: UsageRow): string },
): Part[] {
  const parts = Map.groupBy(rows, groupBy);
  return [...parts]
    .map(([value, all]) => {
      const [first] = all;
      return { value, label: first ? nameOf(first) : value, credits: creditsOf(all), files: filesOf(all) };
    })
    .toSorted((one, other) => other.credits - one.credits);
}
