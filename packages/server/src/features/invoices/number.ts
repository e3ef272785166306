import { eq } from "drizzle-orm";
import { numberDigits } from "../../platform/brand/invoice-rules.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { invoiceSeries } from "./tables.ts";

/** India's financial year starts in April: `2627` is 2026-04-01 to 2027-03-31. */
function financialYear(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const first = month >= 4 ? year : year - 1;
  return `${String(first % 100).padStart(2, "0")}${String((first + 1) % 100).padStart(2, "0")}`;
}

/** The series of a prefix on a day. Each year has its own series, which starts at 1. */
export const seriesOn = (prefix: string, day: string): string =>
  prefix.replaceAll("{year}", day.slice(0, 4)).replaceAll("{fy}", financialYear(day));

/**
 * Locks a series until the transaction ends, and takes its next number with `take`. Concurrent callers wait. A failed
 * transaction rolls the number back, so that there are no gaps.
 */
export async function holdSeries(
  tx: Transaction,
  series: string,
): Promise<{ name: string; take(): Promise<{ sequence: number; number: string }> }> {
  await tx.insert(invoiceSeries).values({ name: series, last: 0 }).onConflictDoNothing();
  const [held] = await tx.select().from(invoiceSeries).where(eq(invoiceSeries.name, series)).for("update");
  let last = held?.last ?? 0;
  return {
    name: series,
    async take() {
      last += 1;
      await tx.update(invoiceSeries).set({ last }).where(eq(invoiceSeries.name, series));
      return { sequence: last, number: `${series}${String(last).padStart(numberDigits, "0")}` };
    },
  };
}
