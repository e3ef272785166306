import { formatDay, formatPrice, locale, type PaymentSheet } from "@tintype/contract";
import { stateLabel } from "../../platform/brand/invoice-rules.ts";
import { tintypePlans } from "../../platform/brand/plan-rules.ts";
import { contentOf, type InvoiceRow } from "./issue.ts";

/** The texts and amounts of an invoice or a credit note, in the layout that receipts use. */
export function invoiceSheetOf(row: InvoiceRow): PaymentSheet {
  const content = contentOf(row);
  const { product, seller, buyer, item, sac, placeOfSupply, netMinor, taxes, notes, footer, credits } = content;
  const { currency } = row;
  const isCredit = row.kind === "credit-note";
  const priceOf = (amountMinor: number) =>
    formatPrice({ amountMinor: isCredit ? 0 - amountMinor : amountMinor, currency });
  const isTaxed = taxes.length > 0;
  const address = [
    buyer.address,
    buyer.country === "IN" && buyer.region ? stateLabel(buyer.region) : undefined,
    buyer.country && countryName(buyer.country),
    buyer.tax_number && (buyer.country === "IN" ? `GSTIN ${buyer.tax_number}` : `Tax number ${buyer.tax_number}`),
  ];
  const period = item.from && item.until ? `${formatDay(item.from)} to ${formatDay(item.until)}` : undefined;
  const facts = [
    { label: "Seller", value: [seller.name, seller.address, ...seller.taxNumbers].filter(Boolean).join("\n") },
    { label: isCredit ? "Credit note number" : "Invoice number", value: row.number },
    { label: "Date", value: formatDay(content.day) },
    credits && { label: "For invoice", value: `${credits.number} of ${formatDay(credits.day)}` },
    placeOfSupply && { label: "Place of supply", value: placeOfSupply },
    sac && { label: "SAC", value: sac },
    period && { label: "Period", value: period },
    { label: "Payment ID", value: row.paymentId },
  ];
  return {
    title: isCredit ? "Credit note" : isTaxed ? "Tax invoice" : "Invoice",
    notice: content.isTest ? "Test mode: no money was charged." : undefined,
    buyer: { label: "Buyer", name: buyer.name, email: buyer.email, address: address.filter(Boolean).join("\n") },
    facts: facts.filter((one) => typeof one === "object"),
    item: `${product} ${item.label ?? tintypePlans.labels[item.plan]}, ${item.cycle}`,
    amount: priceOf(row.totalMinor),
    lines: isTaxed
      ? [
          { label: "Net amount", amount: priceOf(netMinor) },
          ...taxes.map(({ name, percent, amountMinor }) => ({
            label: `${name} ${percent}%`,
            amount: priceOf(amountMinor),
          })),
        ]
      : [],
    total: { label: isCredit ? "Refunded" : "Total, paid", currency },
    returned: undefined,
    closing: [...notes, footer].filter(Boolean).join("\n"),
  };
}

const countryName = (code: string): string => new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
