import fc from "fast-check";
import { expect, test } from "vitest";
import { invoiceRules, type TaxRule } from "../../platform/brand/invoice-rules.ts";
import { creditTax, divideTax } from "./tax.ts";

const ruleOf = (tax: object): TaxRule => invoiceRules.parse({ tax }).tax;
const gst = ruleOf({ kind: "gst", gstin: "27AAPFU0939F1ZV", sac: "998314" });
const lut = ruleOf({ kind: "gst", gstin: "27AAPFU0939F1ZV", sac: "998314", export_lut: "AD270326000001X" });
const vat = ruleOf({
  kind: "vat",
  number: "DE123456789",
  country: "DE",
  rate_percent: 19,
  rates: { FR: 20, US: 0 },
  reverse_charge: true,
});
const inr = { currency: "INR" } as const;
const usd = { currency: "USD" } as const;

test("within the seller's state GST is CGST and SGST in equal halves; a buyer who says nothing is there", () => {
  const expected = {
    netMinor: 71_610,
    taxes: [
      { name: "CGST", percent: 9, amountMinor: 6_445 },
      { name: "SGST", percent: 9, amountMinor: 6_445 },
    ],
    placeOfSupply: "Maharashtra (27)",
    notes: [],
  };
  expect(divideTax(gst, { ...inr, totalMinor: 84_500, buyer: {} })).toEqual(expected);
  expect(divideTax(gst, { ...inr, totalMinor: 84_500, buyer: { country: "IN", region: "27" } })).toEqual(expected);
});

test("in another state it is IGST, by the place of supply", () => {
  expect(divideTax(gst, { ...inr, totalMinor: 118_00, buyer: { country: "IN", region: "29" } })).toEqual({
    netMinor: 100_00,
    taxes: [{ name: "IGST", percent: 18, amountMinor: 18_00 }],
    placeOfSupply: "Karnataka (29)",
    notes: [],
  });
});

test("abroad it is an export: zero-rated under a letter of undertaking, else with IGST", () => {
  const buyer = { country: "DE" };
  expect(divideTax(lut, { ...usd, totalMinor: 1000, buyer })).toMatchObject({
    netMinor: 1000,
    taxes: [{ name: "IGST", percent: 0, amountMinor: 0 }],
    placeOfSupply: "Outside India (96)",
    notes: [expect.stringContaining("AD270326000001X")],
  });
  expect(divideTax(gst, { ...usd, totalMinor: 1180, buyer: {} })).toMatchObject({
    netMinor: 1000,
    taxes: [{ name: "IGST", amountMinor: 180 }],
  });
  // A buyer in India who pays in dollars is not an export.
  expect(divideTax(gst, { ...usd, totalMinor: 1180, buyer: { country: "IN", region: "27" } }).taxes).toHaveLength(2);
});

test("VAT has the rate of the buyer's country where it is listed, and none under reverse charge", () => {
  const of = (buyer: object) => divideTax(vat, { ...usd, totalMinor: 1190, buyer });
  expect(of({})).toMatchObject({ netMinor: 1000, taxes: [{ name: "VAT", percent: 19, amountMinor: 190 }] });
  expect(of({ country: "FR" }).taxes).toEqual([{ name: "VAT", percent: 20, amountMinor: 198 }]);
  expect(of({ country: "US" }).netMinor).toBe(1190);
  expect(of({ country: "FR", tax_number: "FR12345678901" })).toMatchObject({
    netMinor: 1190,
    notes: [expect.stringContaining("Reverse charge")],
  });
  // In the home country and outside the EU, a tax number changes nothing.
  expect(of({ country: "DE", tax_number: "DE1" }).taxes[0]?.percent).toBe(19);
  expect(of({ country: "CH", tax_number: "CHE1" }).taxes[0]?.percent).toBe(19);
});

test("without a tax the price is the net amount, with the operator's sentence", () => {
  expect(divideTax(ruleOf({ kind: "none", note: "Small business." }), { ...usd, totalMinor: 300, buyer: {} })).toEqual({
    netMinor: 300,
    taxes: [],
    placeOfSupply: undefined,
    notes: ["Small business."],
  });
});

test("net and taxes add up to the price, and credit notes to the invoice, however the refund is cut", () => {
  const buyers = [{}, { country: "IN", region: "29" }, { country: "IN", region: "27" }, { country: "FR" }];
  fc.assert(
    fc.property(
      fc.constantFrom(gst, lut, vat),
      fc.constantFrom(...buyers),
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      (rule, buyer, totalMinor, cuts) => {
        const { netMinor, taxes } = divideTax(rule, { ...inr, totalMinor, buyer });
        const sumOf = (lines: readonly { amountMinor: number }[]) =>
          lines.reduce((sum, one) => sum + one.amountMinor, 0);
        expect(netMinor + sumOf(taxes)).toBe(totalMinor);
        if (taxes.length === 2) expect(taxes[0]?.amountMinor).toBe(taxes[1]?.amountMinor);
        const steps = [...cuts.map((cut) => Math.round(cut * totalMinor)).sort((a, b) => a - b), totalMinor];
        let before = 0;
        const notes = steps.map((until) => {
          const note = creditTax({ totalMinor, taxes }, { beforeMinor: before, untilMinor: until });
          expect(note.netMinor + sumOf(note.taxes)).toBe(until - before);
          for (const { amountMinor } of note.taxes) expect(amountMinor).toBeGreaterThanOrEqual(0);
          before = until;
          return note;
        });
        expect(notes.reduce((sum, note) => sum + note.netMinor, 0)).toBe(netMinor);
        for (const [index, { amountMinor }] of taxes.entries())
          expect(notes.reduce((sum, note) => sum + (note.taxes[index]?.amountMinor ?? 0), 0)).toBe(amountMinor);
      },
    ),
  );
});
