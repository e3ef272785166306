import { type BillingDetails, type Currency, planLabels } from "@tintype/contract";
import { and, eq, gte, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Brand } from "../../platform/brand/brand.ts";
import type { InvoiceRules } from "../../platform/brand/invoice-rules.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { findAccount, shareAccount } from "../accounts/accounts.ts";
import {
  type BookedPayment,
  bookedPayments,
  isReturned,
  isUninvoiced,
  markInvoiced,
  paidAt,
  payer,
  paymentId,
  refundedMinor,
} from "../billing/books.ts";
import { findDetails } from "./buyer.ts";
import { holdSeries, seriesOn } from "./number.ts";
import { invoices } from "./tables.ts";
import { creditTax, divideTax, type Taxation } from "./tax.ts";

export type InvoiceRow = typeof invoices.$inferSelect;

export type Buyer = Partial<BillingDetails> & { name: string; email: string };

/** The content of an invoice or a credit note. It is written once: later changes of brand, prices or details do not affect it. */
export type InvoiceContent = Taxation & {
  /** The day of issue in the time zone of its tax law. */
  day: string;
  product: string;
  seller: { name: string; address: string; taxNumbers: string[] };
  buyer: Buyer;
  item: Pick<BookedPayment, "plan" | "cycle"> & {
    /** The plan's name; missing in documents issued before names could change. */
    label?: string;
    from: string | null;
    until: string | null;
  };
  sac: string | undefined;
  footer: string | undefined;
  /** For a credit note: the number and day of its invoice. */
  credits: { number: string; day: string } | undefined;
  /** The payment was made in test mode. */
  isTest: boolean;
};

export type InvoiceDependencies = {
  db: Database;
  clock: Clock;
  brand: Brand;
  log: Pick<FastifyBaseLogger, "error">;
};

/** Per round. */
const batchSize = 100;

/** The content as `issue` wrote it. */
export const contentOf = ({ content }: Pick<InvoiceRow, "content">): InvoiceContent => content as InvoiceContent;

/**
 * Issues an invoice for each payment without one, and a credit note for refunds of invoiced payments, in the order of
 * payments. Reads only committed rows: if a process dies, the next round issues what is missing, once.
 */
export async function issueDue(dependencies: InvoiceDependencies): Promise<void> {
  const { db, brand, log } = dependencies;
  const { invoices: rules } = brand;
  if (!rules) return;
  const credited = sql`coalesce((select sum(i.total_minor) from invoices i where i.payment_id = ${paymentId} and i.kind = 'credit-note'), 0)`;
  const attempt = async (payment: BookedPayment, issue: (tx: Transaction) => Promise<void>) => {
    try {
      await db.transaction(issue);
    } catch (problem) {
      log.error({ err: problem, payment: payment.id }, "cannot issue an invoice yet");
    }
  };
  for (const payment of await bookedPayments(db, awaitsInvoice(rules), { limit: batchSize }))
    await attempt(payment, (tx) => issueInvoice(tx, dependencies, payment));
  for (const payment of await bookedPayments(db, and(isReturned, sql`${refundedMinor} > ${credited}`), {
    limit: batchSize,
  }))
    await attempt(payment, (tx) => issueCreditNote(tx, dependencies, payment));
}

const awaitsInvoice = ({ from }: InvoiceRules) =>
  and(isUninvoiced, from === undefined ? undefined : gte(paidAt, new Date(from)));

/** Issues an account's due invoices within the transaction that deletes it, so that they carry its billing details. */
export async function issueInvoicesOf(
  tx: Transaction,
  dependencies: InvoiceDependencies,
  accountId: string,
): Promise<void> {
  const { invoices: rules } = dependencies.brand;
  if (!rules) return;
  for (const payment of await bookedPayments(tx, and(eq(payer, accountId), awaitsInvoice(rules))))
    await issueInvoice(tx, dependencies, payment);
}

async function issueInvoice(tx: Transaction, dependencies: InvoiceDependencies, payment: BookedPayment): Promise<void> {
  const { brand, clock } = dependencies;
  const { isTest } = payment;
  const rules = brand.invoices;
  if (!rules) return;
  const { tax } = rules;
  const issuedAt = clock.now();
  const day = dayOf(issuedAt, tax.kind);
  const { accountId, buyer } = await buyerOf(tx, payment.accountId);
  const series = await holdSeries(tx, seriesOn(seriesPrefix(rules.prefix, isTest), day));
  // The series is locked now, so no other process is between checking and issuing.
  const [issued] = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.paymentId, payment.id), eq(invoices.kind, "invoice")));
  await markInvoiced(tx, payment.id);
  if (issued) return;
  const { amountMinor: totalMinor, currency, plan, cycle, coversFrom, coversUntil } = payment;
  const { netMinor, taxes, placeOfSupply, notes } = divideTax(tax, { totalMinor, currency, buyer });
  const content: InvoiceContent = {
    day,
    product: brand.name,
    seller: sellerOf(brand),
    buyer,
    item: {
      plan,
      cycle,
      label: planLabels[plan],
      from: coversFrom?.toISOString() ?? null,
      until: coversUntil?.toISOString() ?? null,
    },
    sac: tax.kind === "gst" ? tax.sac : undefined,
    placeOfSupply,
    netMinor,
    taxes,
    notes,
    footer: rules.footer,
    credits: undefined,
    isTest,
  };
  await write(tx, {
    kind: "invoice",
    series,
    paymentId: payment.id,
    accountId,
    issuedAt,
    currency,
    totalMinor,
    content,
  });
}

async function issueCreditNote(
  tx: Transaction,
  dependencies: InvoiceDependencies,
  payment: BookedPayment,
): Promise<void> {
  const { brand, clock } = dependencies;
  const rules = brand.invoices;
  if (!rules) return;
  const issuedAt = clock.now();
  const day = dayOf(issuedAt, rules.tax.kind);
  // Serialises with a deletion: either the buyer's name is already removed from the invoice, or the deletion waits and
  // removes it from both.
  if (payment.accountId !== null) await tx.execute(shareAccount(payment.accountId));
  const ofKind = (kind: InvoiceRow["kind"]) => and(eq(invoices.paymentId, payment.id), eq(invoices.kind, kind));
  // The lock serialises credit notes of one invoice, even across two series: notes are read once it is held.
  const [invoice] = await tx.select().from(invoices).where(ofKind("invoice")).for("update");
  const notes = await tx.select({ totalMinor: invoices.totalMinor }).from(invoices).where(ofKind("credit-note"));
  const beforeMinor = notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  // We refund a payment only once, so the row's amount is the total.
  const untilMinor = Math.min(payment.refundedMinor, payment.amountMinor);
  if (!invoice || untilMinor <= beforeMinor) return;
  const of = contentOf(invoice);
  const series = await holdSeries(tx, seriesOn(seriesPrefix(rules.credit_prefix, of.isTest), day));
  const { totalMinor: invoicedMinor, currency } = invoice;
  const divided = creditTax({ totalMinor: invoicedMinor, taxes: of.taxes }, { beforeMinor, untilMinor });
  const content: InvoiceContent = { ...of, ...divided, day, credits: { number: invoice.number, day: of.day } };
  const totalMinor = untilMinor - beforeMinor;
  const { accountId } = invoice;
  await write(tx, {
    kind: "credit-note",
    series,
    paymentId: payment.id,
    accountId,
    issuedAt,
    currency,
    totalMinor,
    content,
  });
}

type InvoiceDraft = {
  kind: InvoiceRow["kind"];
  series: Awaited<ReturnType<typeof holdSeries>>;
  paymentId: string;
  accountId: string | null;
  issuedAt: Date;
  currency: Currency;
  totalMinor: number;
  content: InvoiceContent;
};

async function write(tx: Transaction, { series, ...row }: InvoiceDraft): Promise<void> {
  const { sequence, number } = await series.take();
  await tx.insert(invoices).values({ ...row, id: newId("inv"), series: series.name, sequence, number });
}

const seriesPrefix = (prefix: string, isTest: boolean) => (isTest ? `TEST-${prefix}` : prefix);

const istMs = 5.5 * 3_600_000;
/** The day of issue: in India's time for GST, otherwise in UTC. */
const dayOf = (at: Date, kind: "gst" | "vat" | "none"): string =>
  new Date(at.getTime() + (kind === "gst" ? istMs : 0)).toISOString().slice(0, 10);

function sellerOf({ name, legal, invoices: rules }: Brand): InvoiceContent["seller"] {
  const { tax } = rules ?? {};
  const number =
    tax?.kind === "gst" ? `GSTIN ${tax.gstin}` : tax?.kind === "vat" ? `VAT number ${tax.number}` : undefined;
  const own = legal.taxNumber && !number?.includes(legal.taxNumber) ? `Tax number ${legal.taxNumber}` : undefined;
  return {
    name: legal.entity ?? name,
    address: legal.address ?? "",
    taxNumbers: [number, own].filter((one) => one !== undefined),
  };
}

/** A buyer whose account was deleted. */
export const formerBuyer: Buyer = { name: "Customer of a deleted account", email: "" };

/** Blocks the account's deletion until the invoice is written, so that the deletion finds the name in it. */
async function buyerOf(tx: Transaction, accountId: string | null): Promise<{ accountId: string | null; buyer: Buyer }> {
  if (accountId !== null) await tx.execute(shareAccount(accountId));
  const account = accountId === null ? undefined : await findAccount(tx, accountId);
  if (!account) return { accountId: null, buyer: formerBuyer };
  const { id, name, email } = account;
  return { accountId: id, buyer: { name: name || email, email, ...(await findDetails(tx, id)) } };
}
