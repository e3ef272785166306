import { DomainError, type Transaction } from "@tintype/contract";
import { and, desc, eq, or } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { isAfter, pageOf, readPlace, writePlace } from "../../platform/db/page.ts";
import { payments, subscriptions } from "./tables.ts";

/** A person's payments, newest first; `next` is the next page's cursor. */
export async function listTransactions(
  db: Database,
  accountId: string,
  { before, size }: { before?: string | undefined; size: number },
): Promise<{ transactions: Transaction[]; next: string | null }> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), isAfter(readPlace(before), payments)))
    .orderBy(desc(payments.at), desc(payments.id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: writePlace });
  return { transactions: shown.map(viewOf), next };
}

/** One payment of a person. @throws not-found */
export async function findTransaction(db: Database, accountId: string, id: string): Promise<Transaction> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.id, id)));
  if (!row) throw new DomainError("not-found");
  return viewOf(row);
}

/** The accounts that a payment or a subscription belongs to, by its id or the gateway's. */
export async function accountsOfPayment(db: Database, id: string): Promise<string[]> {
  const paid = await db
    .select({ accountId: payments.accountId })
    .from(payments)
    .where(or(eq(payments.id, id), eq(payments.requestId, id)));
  const sold = await db
    .select({ accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(or(eq(subscriptions.id, id), eq(subscriptions.gatewayId, id), eq(subscriptions.requestId, id)));
  return [...paid, ...sold].flatMap(({ accountId }) => accountId ?? []);
}

/** The refund states of a person's payments. */
export async function refundStates(
  db: Database,
  accountId: string,
): Promise<ReadonlyMap<string, "none" | "wanted" | "done">> {
  const rows = await db
    .select({ id: payments.id, refund: payments.refund })
    .from(payments)
    .where(eq(payments.accountId, accountId));
  return new Map(rows.map(({ id, refund }) => [id, refund]));
}

const viewOf = (row: typeof payments.$inferSelect): Transaction => {
  const { id, at, plan, cycle, amountMinor, currency, status, isTest, refund, refundMinor } = row;
  return {
    id,
    at: at.toISOString(),
    plan,
    billing_cycle: cycle,
    amount_minor: amountMinor,
    currency,
    status,
    is_test: isTest,
    refunded_minor: status === "refunded" ? amountMinor : refund === "none" ? 0 : (refundMinor ?? amountMinor),
  };
};
