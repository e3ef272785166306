import { z } from "zod";
import { countryCodes } from "../facts/countries.ts";
import { gstinFault, gstStates } from "../facts/gst.ts";
import { currencies } from "../facts/plan.ts";
import { exactObject } from "./exact-object.ts";

const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^\P{Cc}*$/u, "Please enter one line of text.");

const region = singleLine(2).meta({ description: "For India, the GST state code, like `27`; otherwise empty." });
const country = z
  .string()
  .refine((code) => countryCodes.includes(code), "Please choose a country.")
  .meta({ description: "ISO 3166-1, two letters." });
const name = singleLine(120).min(1, "Please enter a name.");
const address = z
  .string()
  .trim()
  .min(1, "Please enter an address.")
  .max(300)
  .regex(/^[^\p{Cc}\n]*(\n[^\p{Cc}\n]*)*$/u, "Please enter an address without control characters.");
const taxNumber = singleLine(20).meta({ description: "GSTIN or VAT number, or empty." });

export const billingDetails = z.object({
  name: z.string(),
  address: z.string(),
  country,
  region,
  tax_number: taxNumber,
});
export type BillingDetails = z.infer<typeof billingDetails>;

/** In India the state determines which tax is due, and a GSTIN begins with its code. */
export const writeBillingDetails = exactObject({
  name,
  address,
  country,
  region: region.default(""),
  tax_number: taxNumber.transform((text) => text.replace(/[\s.-]/g, "").toUpperCase()).default(""),
}).superRefine((details, context) => {
  if (details.country !== "IN") return;
  const fault = details.tax_number === "" ? undefined : gstinFault(details.tax_number);
  if (fault) context.addIssue({ code: "custom", path: ["tax_number"], message: "Please enter a valid GSTIN." });
  if (!gstStates[details.region])
    context.addIssue({ code: "custom", path: ["region"], message: "Please choose a state." });
  else if (!fault && details.tax_number && !details.tax_number.startsWith(details.region))
    context.addIssue({ code: "custom", path: ["region"], message: "The GSTIN belongs to another state." });
});

export const heldBillingDetails = z.object({
  issues_invoices: z.boolean().meta({ description: "Whether the service issues invoices." }),
  details: billingDetails.nullable(),
});

const invoice = z.object({
  id: z.string(),
  number: z.string(),
  kind: z.enum(["invoice", "credit-note"]),
  payment_id: z.string(),
  issued_at: z.iso.datetime(),
  total_minor: z
    .int()
    .meta({ description: "In the currency's smallest unit, tax included. For a credit note, the amount credited." }),
  currency: z.enum(currencies),
});
export type Invoice = z.infer<typeof invoice>;
export const invoices = z.object({ invoices: z.array(invoice), next: z.string().nullable() });

const day = z.iso.date();
export const invoiceSpan = z.object({
  from: day.meta({ description: "The first day." }),
  to: day.meta({ description: "The last day." }),
});
