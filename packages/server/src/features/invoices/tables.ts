import { currencies } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";

/** The last number of each series. The row is locked while a number is taken, so that every number taken is used. */
export const invoiceSeries = pgTable("invoice_series", {
  name: text("name").primaryKey(),
  last: integer("last").notNull(),
});

/** Invoices and credit notes as issued. Immutable, except that the buyer's name is removed with a deleted account. */
export const invoices = pgTable(
  "invoices",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["invoice", "credit-note"] }).notNull(),
    series: text("series").notNull(),
    sequence: integer("sequence").notNull(),
    number: text("number").notNull().unique(),
    /** Null once the account is deleted. */
    accountId: text("account_id"),
    paymentId: text("payment_id").notNull(),
    issuedAt: timestamptz("issued_at").notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    totalMinor: integer("total_minor").notNull(),
    /** The document's content, typed in issue.ts. */
    content: jsonb("content").notNull(),
  },
  (table) => [
    uniqueIndex("invoices_sequence").on(table.series, table.sequence),
    // Two processes at the same moment invoice a payment only once.
    uniqueIndex("invoices_payment").on(table.paymentId).where(sql`${table.kind} = 'invoice'`),
    index("invoices_credited").on(table.paymentId).where(sql`${table.kind} = 'credit-note'`),
    index("invoices_account").on(table.accountId, table.issuedAt, table.id),
    index("invoices_issued").on(table.issuedAt, table.id),
  ],
);

/** A person's billing details. */
export const billingDetails = pgTable("billing_details", {
  accountId: text("account_id").primaryKey(),
  name: text("name").notNull(),
  address: text("address").notNull(),
  country: text("country").notNull(),
  /** For India, the state's GST code; otherwise empty. */
  region: text("region").notNull(),
  taxNumber: text("tax_number").notNull(),
});
