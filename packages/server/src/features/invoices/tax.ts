import { type BillingDetails, type Currency, euCountries } from "@tintype/contract";
import { stateLabel, type TaxRule } from "../../platform/brand/invoice-rules.ts";

export type TaxLine = { name: "CGST" | "SGST" | "IGST" | "VAT"; percent: number; amountMinor: number };

/** How a tax-inclusive price divides. The net amount and the taxes always add up to the total. */
export type Taxation = {
  netMinor: number;
  taxes: TaxLine[];
  /** For GST: the state of supply, or that it is an export. */
  placeOfSupply: string | undefined;
  /** Sentences that the law requires on the invoice. */
  notes: string[];
};

/** The buyer's details that tax depends on. For most people none are known. */
export type TaxedBuyer = Partial<Pick<BillingDetails, "country" | "region" | "tax_number">>;

type Sale = { totalMinor: number; currency: Currency; buyer: TaxedBuyer };

/**
 * Divides a price by the operator's rule.
 * - GST: within the seller's state half CGST and half SGST, else IGST, by the place of supply. That is the state on the buyer's
 *   billing details, and without one the seller's (IGST Act, section 12 (2) (b)). Buyers outside India: an export, zero-rated under
 *   a letter of undertaking, else with IGST (section 16 (3)). Without details, a payment in another currency than rupees is one.
 * - VAT: the rate of the buyer's country where the operator lists it, else the operator's own; none under reverse charge, for a
 *   buyer with a number in another country of the EU (Directive 2006/112/EC, article 196).
 */
export function divideTax(rule: TaxRule, sale: Sale): Taxation {
  if (rule.kind === "gst") return divideGst(rule, sale);
  if (rule.kind === "vat") return divideVat(rule, sale);
  return { netMinor: sale.totalMinor, taxes: [], placeOfSupply: undefined, notes: rule.note ? [rule.note] : [] };
}

function divideGst(rule: Extract<TaxRule, { kind: "gst" }>, { totalMinor, currency, buyer }: Sale): Taxation {
  const { gstin, rate_percent: percent } = rule;
  const isAbroad = buyer.country === undefined ? currency !== "INR" : buyer.country !== "IN";
  const integrated = (at: number): TaxLine[] => [
    { name: "IGST", percent: at, amountMinor: taxWithin(totalMinor, { rate: at, of: at }) },
  ];
  if (isAbroad) {
    const placeOfSupply = "Outside India (96)";
    if (rule.export_lut !== undefined)
      return {
        netMinor: totalMinor,
        taxes: [{ name: "IGST", percent: 0, amountMinor: 0 }],
        placeOfSupply,
        notes: [`Supply meant for export under letter of undertaking ${rule.export_lut} without payment of IGST.`],
      };
    const notes = ["Supply meant for export on payment of IGST."];
    return withNet(totalMinor, { taxes: integrated(percent), placeOfSupply, notes });
  }
  const ownState = gstin.slice(0, 2);
  const state = buyer.region || ownState;
  const placeOfSupply = stateLabel(state);
  if (state !== ownState) return withNet(totalMinor, { taxes: integrated(percent), placeOfSupply, notes: [] });
  // The two halves are equal to the paisa.
  const half = taxWithin(totalMinor, { rate: percent / 2, of: percent });
  const taxes = (["CGST", "SGST"] as const).map((name) => ({ name, percent: percent / 2, amountMinor: half }));
  return withNet(totalMinor, { taxes, placeOfSupply, notes: [] });
}

function divideVat(rule: Extract<TaxRule, { kind: "vat" }>, { totalMinor, buyer }: Sale): Taxation {
  const { country } = buyer;
  const isReversed =
    rule.reverse_charge &&
    country !== undefined &&
    country !== rule.country &&
    euCountries.includes(country) &&
    Boolean(buyer.tax_number);
  if (isReversed)
    return {
      netMinor: totalMinor,
      taxes: [{ name: "VAT", percent: 0, amountMinor: 0 }],
      placeOfSupply: undefined,
      notes: ["Reverse charge: VAT is owed by the recipient (article 196 of Directive 2006/112/EC)."],
    };
  const percent = (country === undefined ? undefined : rule.rates[country]) ?? rule.rate_percent;
  const amountMinor = taxWithin(totalMinor, { rate: percent, of: percent });
  return withNet(totalMinor, { taxes: [{ name: "VAT", percent, amountMinor }], placeOfSupply: undefined, notes: [] });
}

/** The tax of `rate` percent in a total that includes `of` percent, rounded to the minor unit. */
const taxWithin = (totalMinor: number, { rate, of }: { rate: number; of: number }): number =>
  Math.round((totalMinor * rate) / (100 + of));

const withNet = (totalMinor: number, rest: Omit<Taxation, "netMinor">): Taxation => ({
  netMinor: totalMinor - rest.taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  ...rest,
});

/** The part of an invoice that a credit note reverses: each line in the invoice's proportions. */
export type Credited = { netMinor: number; taxes: TaxLine[] };

/**
 * The lines of a credit note that raises the credited amount from `beforeMinor` to `untilMinor`. However a refund is
 * split, the notes of a fully refunded invoice add up to its lines.
 */
export function creditTax(
  { totalMinor, taxes }: { totalMinor: number; taxes: readonly TaxLine[] },
  { beforeMinor, untilMinor }: { beforeMinor: number; untilMinor: number },
): Credited {
  const upTo = (creditedMinor: number, amountMinor: number) => Math.round((amountMinor * creditedMinor) / totalMinor);
  const lines = taxes.map((one) => ({
    ...one,
    amountMinor: upTo(untilMinor, one.amountMinor) - upTo(beforeMinor, one.amountMinor),
  }));
  const tax = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { netMinor: untilMinor - beforeMinor - tax, taxes: lines };
}
