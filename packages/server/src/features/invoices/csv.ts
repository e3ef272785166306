import { and, asc, gte, lt } from "drizzle-orm";
import { dayMs } from "../../platform/clock.ts";
import { csvOf } from "../../platform/csv.ts";
import type { Database } from "../../platform/db/database.ts";
import { contentOf, type InvoiceRow } from "./issue.ts";
import { invoices } from "./tables.ts";
import type { TaxLine } from "./tax.ts";

const taxNames = ["CGST", "SGST", "IGST", "VAT"] as const;
const columns = [
  ...["number", "kind", "day", "invoice", "payment", "buyer", "address", "country", "region", "tax_number"],
  ...["place_of_supply", "sac", "item", "currency", "net", "tax_percent"],
  ...["cgst", "sgst", "igst", "vat", "total", "test"],
];

/**
 * Invoices and credit notes issued on these days, oldest first, one per line. Amounts are in whole units of the currency,
 * negative for credit notes.
 */
export async function invoiceCsv(db: Database, { from, to }: { from: string; to: string }): Promise<string> {
  const rows = await db
    .select()
    .from(invoices)
    .where(
      // One day more on each side: the range is in days of issue, which GST counts in India's time.
      and(
        gte(invoices.issuedAt, new Date(Date.parse(from) - dayMs)),
        lt(invoices.issuedAt, new Date(Date.parse(to) + 2 * dayMs)),
      ),
    )
    .orderBy(asc(invoices.issuedAt), asc(invoices.series), asc(invoices.sequence));
  const matches = rows.filter((row) => contentOf(row).day >= from && contentOf(row).day <= to);
  return csvOf([columns, ...matches.map(cellsOf)]);
}

function cellsOf(row: InvoiceRow): (string | number)[] {
  const { day, buyer, placeOfSupply, sac, item, product, netMinor, taxes, credits, isTest } = contentOf(row);
  const sign = row.kind === "credit-note" ? -1 : 1;
  const units = (amountMinor: number) => (sign * amountMinor) / 100;
  const taxOf = (name: TaxLine["name"]) => {
    const line = taxes.find((one) => one.name === name);
    return line ? units(line.amountMinor) : "";
  };
  return [
    ...[row.number, row.kind, day, credits?.number ?? "", row.paymentId, buyer.name, buyer.address ?? ""],
    ...[buyer.country ?? "", buyer.region ?? "", buyer.tax_number ?? "", placeOfSupply ?? "", sac ?? ""],
    ...[`${product} ${item.plan} ${item.cycle}`, row.currency, units(netMinor)],
    taxes.reduce((sum, { percent }) => sum + percent, 0),
    ...taxNames.map(taxOf),
    units(row.totalMinor),
    isTest ? "yes" : "no",
  ];
}
