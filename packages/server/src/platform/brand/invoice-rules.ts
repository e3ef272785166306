import { gstinFault, gstStates } from "@tintype/contract";
import { z } from "zod";

const percent = z.number().min(0).max(100);
const country = z.string().regex(/^[A-Z]{2}$/, 'expected a country of two letters, like "IN" or "DE"');
const line = z.string().trim().min(1).max(200);

const gst = z.strictObject({
  kind: z.literal("gst"),
  gstin: z.string().superRefine((text, context) => {
    const fault = gstinFault(text);
    if (fault) context.addIssue({ code: "custom", message: fault });
  }),
  sac: z.string().regex(/^\d{4,8}$/, "expected a SAC in quotes, of 4 to 8 digits"),
  rate_percent: percent.default(18),
  /** Letter of undertaking: exports are zero-rated under it. */
  export_lut: line.optional(),
});
const vat = z.strictObject({
  kind: z.literal("vat"),
  number: line,
  country,
  rate_percent: percent,
  rates: z.record(country, percent).default({}),
  reverse_charge: z.boolean().default(false),
});
const none = z.strictObject({ kind: z.literal("none"), note: line.optional() });
const prefix = z
  .string()
  .regex(/^([A-Za-z0-9/-]|\{year\}|\{fy\})*$/, "expected letters, digits, - and /, and {year} or {fy}")
  .max(20);

/** `invoices` of the brand file. */
export const invoiceRules = z.strictObject({
  prefix: prefix.default("INV-"),
  credit_prefix: prefix.default("CN-"),
  from: z.iso.date('expected a day in quotes, like "2026-12-01"').optional(),
  footer: line.optional(),
  tax: z.discriminatedUnion("kind", [gst, vat, none], 'expected kind: "gst", "vat" or "none"'),
});
export type InvoiceRules = z.infer<typeof invoiceRules>;
export type TaxRule = InvoiceRules["tax"];

/** Digits of a sequence number. */
export const numberDigits = 6;
/** Rule 46 (b) of the CGST Rules. */
const maxGstNumberLength = 16;

/** @throws Error if numbers would be longer than GST allows, or both kinds would share one series */
export function checkSeries({ prefix, credit_prefix: creditPrefix, tax }: InvoiceRules): void {
  if (prefix === creditPrefix) throw new Error("prefix and credit_prefix have to differ: each has a series of its own");
  for (const one of [prefix, creditPrefix]) {
    const length = one.replaceAll("{year}", "2026").replaceAll("{fy}", "2627").length + numberDigits;
    if (tax.kind === "gst" && length > maxGstNumberLength)
      throw new Error(`"${one}" makes numbers of ${length} characters, and GST allows ${maxGstNumberLength}`);
  }
}

/** An Indian state by its GST code, `Maharashtra (27)`. */
export const stateLabel = (code: string): string => `${gstStates[code] ?? code} (${code})`;
