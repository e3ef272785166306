import { currencies } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment } from "../../platform/db/columns.ts";

/** The last running number of each series. Its row is locked while a number is taken: a number that is taken is used. */
export const invoiceSeries = pgTable("invoice_series", {
  name: text("name").primaryKey(),
  last: integer("last").notNull(),
});

/** Invoices and credit notes as they were issued. Nothing but the buyer's name of a deleted account ever changes in them. */
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
    issuedAt: moment("issued_at").notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    totalMinor: integer("total_minor").notNull(),
    /** What the document says; issue.ts has its type. */
    content: jsonb("content").notNull(),
  },
  (table) => [
    uniqueIndex("invoices_sequence").on(table.series, table.sequence),
    // Two processes that look at once invoice a payment once.
    uniqueIndex("invoices_payment").on(table.paymentId).where(sql`${table.kind} = 'invoice'`),
    index("invoices_credited").on(table.paymentId).where(sql`${table.kind} = 'credit-note'`),
    index("invoices_account").on(table.accountId, table.issuedAt, table.id),
    index("invoices_issued").on(table.issuedAt, table.id),
  ],
);

/** What a person wants on invoices. */
export const billingDetails = pgTable("billing_details", {
  accountId: text("account_id").primaryKey(),
  name: text("name").notNull(),
  address: text("address").notNull(),
  country: text("country").notNull(),
  /** Of India, the state by its GST code; else empty. */
  region: text("region").notNull(),
  taxNumber: text("tax_number").notNull(),
});
