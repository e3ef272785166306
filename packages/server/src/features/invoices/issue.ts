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
import { creditTax, divideTax, type TaxLine } from "./tax.ts";

export type InvoiceRow = typeof invoices.$inferSelect;

export type Buyer = Partial<BillingDetails> & { name: string; email: string };

/** What an invoice or a credit note says. It is written once: later changes of brand, prices or details do not reach it. */
export type InvoiceContent = {
  /** The day of issue, of the law that taxes it. */
  day: string;
  product: string;
  seller: { name: string; address: string; taxNumbers: string[] };
  buyer: Buyer;
  item: Pick<BookedPayment, "plan" | "cycle"> & {
    /** The plan's name; missing in what was issued while names could not change. */
    label?: string;
    from: string | null;
    until: string | null;
  };
  sac: string | undefined;
  placeOfSupply: string | undefined;
  netMinor: number;
  taxes: TaxLine[];
  notes: string[];
  footer: string | undefined;
  /** Of a credit note: the number and day of its invoice. */
  credits: { number: string; day: string } | undefined;
  /** Of a payment in test mode. */
  isTest: boolean;
};

export type Issuing = {
  db: Database;
  clock: Clock;
  brand: Brand;
  log: Pick<FastifyBaseLogger, "error">;
};

/** Of one round. */
const mostAtOnce = 100;

/** The content as `issue` wrote it. */
export const contentOf = ({ content }: Pick<InvoiceRow, "content">): InvoiceContent => content as InvoiceContent;

/**
 * Issues an invoice for each payment that has none, and a credit note for what went back of one that has, in the order of payments.
 * It looks at rows that are committed: whatever process dies, the next round issues what is missing, once.
 */
export async function issueDue(use: Issuing): Promise<void> {
  const { db, brand, log } = use;
  const { invoices: rules } = brand;
  if (!rules) return;
  const credited = sql`coalesce((select sum(i.total_minor) from invoices i where i.payment_id = ${paymentId} and i.kind = 'credit-note'), 0)`;
  const attempt = async (payment: BookedPayment, issue: (tx: Transaction) => Promise<void>) => {
    try {
      await db.transaction(issue);
    } catch (problem) {
      log.error({ err: problem, payment: payment.id }, "an invoice could not be issued yet");
    }
  };
  for (const payment of await bookedPayments(db, awaitsInvoice(rules), { limit: mostAtOnce }))
    await attempt(payment, (tx) => issueInvoice(tx, use, payment));
  for (const payment of await bookedPayments(db, and(isReturned, sql`${refundedMinor} > ${credited}`), {
    limit: mostAtOnce,
  }))
    await attempt(payment, (tx) => issueCreditNote(tx, use, payment));
}

const awaitsInvoice = ({ from }: InvoiceRules) =>
  and(isUninvoiced, from === undefined ? undefined : gte(paidAt, new Date(from)));

/** Issues the invoices that are due for an account, within the transaction that deletes it: they are made out as it wished. */
export async function issueInvoicesOf(tx: Transaction, use: Issuing, accountId: string): Promise<void> {
  const { invoices: rules } = use.brand;
  if (!rules) return;
  for (const payment of await bookedPayments(tx, and(eq(payer, accountId), awaitsInvoice(rules))))
    await issueInvoice(tx, use, payment);
}

async function issueInvoice(tx: Transaction, use: Issuing, payment: BookedPayment): Promise<void> {
  const { brand, clock } = use;
  const { isTest } = payment;
  const rules = brand.invoices;
  if (!rules) return;
  const { tax } = rules;
  const issuedAt = clock.now();
  const day = dayOf(issuedAt, tax.kind);
  const { accountId, buyer } = await buyerOf(tx, payment.accountId);
  const series = await holdSeries(tx, seriesOn(seriesPrefix(rules.prefix, isTest), day));
  // Now that the series is held, no other process can be between looking and issuing.
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

async function issueCreditNote(tx: Transaction, use: Issuing, payment: BookedPayment): Promise<void> {
  const { brand, clock } = use;
  const rules = brand.invoices;
  if (!rules) return;
  const issuedAt = clock.now();
  const day = dayOf(issuedAt, rules.tax.kind);
  // What is read of the invoice has the buyer's name taken out, or a deletion that waits for us takes it out of both.
  if (payment.accountId !== null) await tx.execute(shareAccount(payment.accountId));
  const ofKind = (kind: InvoiceRow["kind"]) => and(eq(invoices.paymentId, payment.id), eq(invoices.kind, kind));
  // The notes of an invoice are issued one after the other, also where two series are at work: notes are read once it is locked.
  const [invoice] = await tx.select().from(invoices).where(ofKind("invoice")).for("update");
  const notes = await tx.select({ totalMinor: invoices.totalMinor }).from(invoices).where(ofKind("credit-note"));
  const beforeMinor = notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  // A payment is refunded once by us: what its row says now is the whole.
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

type Writing = {
  kind: InvoiceRow["kind"];
  series: Awaited<ReturnType<typeof holdSeries>>;
  paymentId: string;
  accountId: string | null;
  issuedAt: Date;
  currency: Currency;
  totalMinor: number;
  content: InvoiceContent;
};

async function write(tx: Transaction, { series, ...row }: Writing): Promise<void> {
  const { sequence, number } = await series.take();
  await tx.insert(invoices).values({ ...row, id: newId("inv"), series: series.name, sequence, number });
}

const seriesPrefix = (prefix: string, isTest: boolean) => (isTest ? `TEST-${prefix}` : prefix);

const istMs = 5.5 * 3_600_000;
/** The day of issue: of India for GST, else of UTC, as everything here. */
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

/** A buyer whose account is gone. */
export const formerBuyer: Buyer = { name: "Customer of a deleted account", email: "" };

/** The account is kept from being deleted until the invoice is written: a deletion then finds the name in it. */
async function buyerOf(tx: Transaction, accountId: string | null): Promise<{ accountId: string | null; buyer: Buyer }> {
  if (accountId !== null) await tx.execute(shareAccount(accountId));
  const account = accountId === null ? undefined : await findAccount(tx, accountId);
  if (!account) return { accountId: null, buyer: formerBuyer };
  const { id, name, email } = account;
  return { accountId: id, buyer: { name: name || email, email, ...(await findDetails(tx, id)) } };
}
