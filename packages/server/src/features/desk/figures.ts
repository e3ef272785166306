import { type DeskFigures, DomainError, type FigureStep, mostFigureDays } from "@tintype/contract";
import { utcDay } from "../../platform/clock.ts";
import { readRevenue, readSubscriptionChanges } from "../billing/figures.ts";
import { readCreditFigures } from "../credits/figures.ts";
import type { Looking } from "./people.ts";

const dayMs = 86_400_000;
const usualDays = 30;

type Asked = { from: string | undefined; to: string | undefined; by: FigureStep };

/** The service's figures by day or month. @throws invalid-request when the span ends before it starts, or is too long */
export async function readFigures({ db, clock }: Pick<Looking, "db" | "clock">, asked: Asked): Promise<DeskFigures> {
  const { by } = asked;
  const to = asked.to ?? utcDay(clock.now());
  const from = asked.from ?? utcDay(new Date(Date.parse(to) - (usualDays - 1) * dayMs));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1)
    throw new DomainError("invalid-request", { field: "from", detail: "from: choose a day that is not after `to`." });
  if (days > mostFigureDays[by])
    throw new DomainError("invalid-request", {
      field: "from",
      detail: `from: choose at most ${mostFigureDays[by]} days at a time${by === "day" ? ", or `by=month`" : ""}.`,
    });
  const span = { from, to, by };
  return {
    ...span,
    revenue: await readRevenue(db, span),
    subscriptions: await readSubscriptionChanges(db, span),
    credits: await readCreditFigures(db, span),
  };
}
