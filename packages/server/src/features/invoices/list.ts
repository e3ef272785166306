import type { Invoice } from "@tintype/contract";
import { and, asc, desc, eq } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { isAfter, pageOf, readPlace, writePlace } from "../../platform/db/page.ts";
import { contentOf, type InvoiceContent, type InvoiceRow } from "./issue.ts";
import { invoices } from "./tables.ts";

/** A person's invoices and credit notes, newest first; `next` is the next page's cursor. */
export async function listInvoices(
  db: Database,
  accountId: string,
  { before, size }: { before?: string | undefined; size: number },
): Promise<{ invoices: Invoice[]; next: string | null }> {
  const { issuedAt, id } = invoices;
  const rows = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), isAfter(readPlace(before), { at: issuedAt, id })))
    .orderBy(desc(issuedAt), desc(id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: (row) => writePlace({ at: row.issuedAt, id: row.id }) });
  return { invoices: shown.map(viewOf), next };
}

const viewOf = ({ id, number, kind, paymentId, issuedAt, totalMinor, currency }: InvoiceRow): Invoice => ({
  id,
  number,
  kind,
  payment_id: paymentId,
  issued_at: issuedAt.toISOString(),
  total_minor: totalMinor,
  currency,
});

/** All of a person's documents with their content, oldest first. */
export async function exportInvoices(
  db: Database,
  accountId: string,
): Promise<(Invoice & { content: InvoiceContent })[]> {
  const rows = await db
    .select()
    .from(invoices)
    .where(eq(invoices.accountId, accountId))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
  return rows.map((row) => ({ ...viewOf(row), content: contentOf(row) }));
}
