import { type DeskFigures, maxFigureDays, type ReportInterval } from "@tintype/contract";
import { readRevenue, readSubscriptionChanges } from "../billing/figures.ts";
import { readCreditFigures, readSpan } from "../credits/usage.ts";
import type { DeskReadDependencies } from "./people.ts";

type FigureRange = { from: string | undefined; to: string | undefined; by: ReportInterval };

/** The service's figures by day or month. @throws invalid-request when the span ends before it starts, or is too long */
export async function readFigures(
  { db, clock }: Pick<DeskReadDependencies, "db" | "clock">,
  range: FigureRange,
): Promise<DeskFigures> {
  const { by } = range;
  const instead = by === "day" ? ", or `by=month`" : "";
  const span = { ...readSpan(range, { now: clock.now(), maxDays: maxFigureDays[by], instead }), by };
  return {
    ...span,
    revenue: await readRevenue(db, span),
    subscriptions: await readSubscriptionChanges(db, span),
    credits: await readCreditFigures(db, span),
  };
}
