import { randomUUID } from "node:crypto";
import type { Invoice } from "@tintype/contract";
import { asc, eq, like, sql } from "drizzle-orm";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBrand } from "../../platform/brand/brand.ts";
import { createLog } from "../../platform/log.ts";
import { knownSecret, refundAtGateway, shopper } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { accounts } from "../accounts/tables.ts";
import { wantRefund } from "../billing/store.ts";
import { payments } from "../billing/tables.ts";
import { invoiceCsv } from "./csv.ts";
import { issueDue } from "./issue.ts";
import { exportInvoices } from "./list.ts";
import { holdSeries, seriesOn } from "./number.ts";
import { invoiceSeries, invoices } from "./tables.ts";

const brand = (tax: object) =>
  JSON.stringify({
    name: "Salt & Silver",
    legal: { entity: "Salt Pictures Private Limited", address: "1 Mill Road\nPune 411001" },
    invoices: {
      prefix: "SS/{fy}/",
      credit_prefix: "SC/{fy}/",
      from: "2026-03-01",
      footer: "CIN U74999MH2020PTC000001",
      tax,
    },
  });
const gst = brand({ kind: "gst", gstin: "27AAPFU0939F1ZV", sac: "998314", export_lut: "AD270326000001X" });
const india = { "x-country": "IN" };
const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    clock,
    environment: {
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_COUNTRY_HEADER: "x-country",
      TINTYPE_BRAND: gst,
      TINTYPE_SECRET: knownSecret,
    },
  });
});
afterAll(() => app.close());

/** A service with its own number series on the same database, and payments that only it invoices. */
function liveService() {
  const place = `R${randomUUID().slice(0, 4).toUpperCase()}-`;
  const rules = { prefix: place, credit_prefix: `C${place}`, tax: { kind: "none" } };
  const content = JSON.stringify({ ...JSON.parse(brand({})), invoices: rules });
  return {
    place,
    dependencies: {
      db: app.db,
      clock,
      brand: readBrand({ content, file: undefined, dataFolder: "." }),
      log: createLog("silent"),
    },
    insert: (rows: { id: string; accountId?: string | null; isTest?: boolean }[]) =>
      app.db.insert(payments).values(
        rows.map((row) => ({
          subscriptionId: "sub",
          plan: "mini" as const,
          cycle: "monthly" as const,
          amountMinor: 300,
          currency: "USD" as const,
          status: "captured" as const,
          // Before the day from which the service issues invoices itself.
          at: new Date("2026-02-15"),
          refund: "none" as const,
          ...row,
        })),
      ),
  };
}

const listOf = async (person: TestCaller) =>
  ((await (await person.call("/api/invoices")).json()) as { invoices: Invoice[] }).invoices;
async function textOf(answer: Response): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())), {
    mergePages: true,
  });
  return text.replace(/\s+/g, " ");
}
const pdfOf = async (person: TestCaller, { id }: Pick<Invoice, "id">) =>
  textOf(await person.call(`/api/invoices/${id}/invoice.pdf`));
const acme = {
  name: "Acme Media LLP",
  address: "12 Residency Road\nBengaluru 560025",
  country: "IN",
  region: "29",
  tax_number: "29AAGCB7383J1Z4",
};

test("a payment is invoiced to the company that the person named, with IGST by the place of supply, and a part of it credited", async () => {
  const person = await app.person("hobby", { name: "Ann Rao", email: "ann@example.com" });
  expect((await person.call("/api/billing-details", { method: "PUT", json: acme })).status).toBe(204);
  expect(await (await person.call("/api/billing-details")).json()).toEqual({ issues_invoices: true, details: acme });
  const buyer = shopper(app, person);
  await buyer.buy("pro", { headers: india });
  await app.sweep();
  const [invoice, ...others] = await listOf(person);
  expect(others).toEqual([]);
  expect(invoice).toMatchObject({ kind: "invoice", total_minor: 84_500, currency: "INR" });
  expect(invoice?.number).toMatch(/^TEST-SS\/2526\/\d{6}$/);
  const answer = await person.call(`/api/invoices/${invoice?.id}/invoice.pdf`);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  const text = await textOf(answer);
  for (const fact of [
    "Tax invoice",
    "Buyer Acme Media LLP 12 Residency Road Bengaluru 560025 Karnataka (29) India GSTIN 29AAGCB7383J1Z4 ann@example.com",
    "Seller Salt Pictures Private Limited 1 Mill Road Pune 411001 GSTIN 27AAPFU0939F1ZV",
    `Invoice number ${invoice?.number}`,
    "Place of supply Karnataka (29)",
    "SAC 998314",
    "Salt & Silver Pro, monthly ₹845",
    "Net amount ₹716.10",
    "IGST 18% ₹128.90",
    "₹845 INR",
    "CIN U74999MH2020PTC000001",
    "Test mode: no money was charged.",
  ])
    expect(text).toContain(fact);

  // An immediate upgrade refunds the unused days.
  await app.db
    .update(payments)
    .set({ refund: "done", refundMinor: 30_000 })
    .where(eq(payments.id, invoice?.payment_id ?? ""));
  await app.sweep();
  await app.sweep();
  const [note, first] = await listOf(person);
  expect(first?.id).toBe(invoice?.id);
  expect(note).toMatchObject({ kind: "credit-note", total_minor: 30_000, payment_id: invoice?.payment_id });
  const noted = await pdfOf(person, { id: note?.id ?? "" });
  for (const fact of [`For invoice ${invoice?.number}`, "Net amount -₹254.24", "IGST 18% -₹45.76", "-₹300 INR"])
    expect(noted).toContain(fact);
  // The rest is refunded at the gateway.
  await app.db
    .update(payments)
    .set({ status: "refunded" })
    .where(eq(payments.id, invoice?.payment_id ?? ""));
  await app.sweep();
  const all = await listOf(person);
  expect(all.map(({ total_minor }) => total_minor)).toEqual([54_500, 30_000, 84_500]);
});

test("without details an invoice is the account's, and changed details reach only later invoices", async () => {
  const person = await app.person("hobby", { name: "Ravi", email: "ravi@example.com" });
  await shopper(app, person).buy("mini", { headers: india });
  await app.sweep();
  const [invoice] = await listOf(person);
  await person.call("/api/billing-details", { method: "PUT", json: acme });
  const text = await pdfOf(person, { id: invoice?.id ?? "" });
  expect(text).toContain("Buyer Ravi ravi@example.com");
  expect(text).toContain("CGST 9% ₹19.45 SGST 9% ₹19.45");
  expect(text).not.toContain("Acme");
  expect((await person.call("/api/billing-details", { method: "DELETE" })).status).toBe(204);
  expect(await (await person.call("/api/billing-details")).json()).toMatchObject({ details: null });
});

test("what is stored of a person, invoices and billing details among it, can be handed over", async () => {
  const person = await app.person("hobby", { name: "Exa", email: "exa@example.com" });
  await person.call("/api/billing-details", { method: "PUT", json: acme });
  await shopper(app, person).buy("mini", { headers: india });
  await app.sweep();
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, "exa@example.com"));
  const [exported] = await exportInvoices(app.db, account?.id ?? "");
  expect(exported).toMatchObject({ kind: "invoice", content: { buyer: { name: "Acme Media LLP" } } });
});

test("the longest details take a second page, and the table is whole on it", async () => {
  const person = await app.person();
  const long = { ...acme, name: "N".repeat(120), address: Array.from({ length: 10 }, () => "A".repeat(29)).join("\n") };
  expect((await person.call("/api/billing-details", { method: "PUT", json: long })).status).toBe(204);
  await shopper(app, person).buy("mini", { headers: india });
  await app.sweep();
  const [invoice] = await listOf(person);
  const answer = await person.call(`/api/invoices/${invoice?.id}/invoice.pdf`);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())));
  expect(text).toHaveLength(2);
  for (const fact of ["What", "Net amount", "IGST 18%", "Total, paid", "CIN U74999MH2020PTC000001"])
    expect(text[1]).toContain(fact);
});

test("an invoice is its buyer's alone", async () => {
  const person = await app.person();
  await shopper(app, person).buy("mini");
  await app.sweep();
  const [invoice] = await listOf(person);
  const path = `/api/invoices/${invoice?.id}/invoice.pdf`;
  expect((await (await app.person()).call(path)).status).toBe(404);
  expect((await app.caller().call(path)).status).toBe(401);
});

test("details that no invoice can have are refused with their field", async () => {
  const person = await app.person();
  const refusal = async (change: object) => {
    const answer = await person.call("/api/billing-details", { method: "PUT", json: { ...acme, ...change } });
    return [answer.status, ((await answer.json()) as { field?: string }).field];
  };
  expect(await refusal({ tax_number: "29AAGCB7383J1Z5" })).toEqual([400, "tax_number"]);
  expect(await refusal({ region: "27" })).toEqual([400, "region"]);
  expect(await refusal({ region: "", tax_number: "" })).toEqual([400, "region"]);
  expect(await refusal({ country: "India" })).toEqual([400, "country"]);
  expect(await refusal({ name: " " })).toEqual([400, "name"]);
  expect(await refusal({ nmae: "x" })).toEqual([400, "nmae"]);
});

test("details in letters that the PDF's fonts lack are refused before they are paid for", async () => {
  const person = await app.person();
  for (const [field, text] of [
    ["name", "田中 Media"],
    ["address", "12 Residency Road\n東京"],
  ] as const) {
    const answer = await person.call("/api/billing-details", { method: "PUT", json: { ...acme, [field]: text } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      field,
      detail: `Invoices cannot print “${field === "name" ? "田" : "東"}”. Use Latin, Greek, Cyrillic or Devanagari letters.`,
    });
  }
  const hindi = { ...acme, name: "चित्र मीडिया – Łódź", address: "Ελλάδα\nЖукова 5" };
  expect((await person.call("/api/billing-details", { method: "PUT", json: hindi })).status).toBe(204);
});

test("an upgrade's refund after one on the gateway's dashboard: credit notes add up to both", async () => {
  const person = await app.person();
  await shopper(app, person).buy("pro", { headers: india });
  await app.sweep();
  const [invoice] = await listOf(person);
  const paymentId = invoice?.payment_id ?? "";
  await refundAtGateway(app, paymentId, 30_000);
  await app.db.transaction((tx) => wantRefund(tx, { paymentId, amountMinor: 20_000, now: clock.now() }));
  await app.sweep();
  await app.sweep();
  const notes = (await listOf(person)).filter(({ kind }) => kind === "credit-note");
  expect(notes.reduce((sum, { total_minor }) => sum + total_minor, 0)).toBe(50_000);
});

test("an invoice is printed under the name that it was issued with", async () => {
  const person = await app.person();
  await shopper(app, person).buy("mini", { headers: india });
  await app.sweep();
  const [invoice] = await listOf(person);
  const id = invoice?.id ?? "";
  // The service's name at that time.
  await app.db
    .update(invoices)
    .set({ content: sql`jsonb_set(${invoices.content}, '{product}', '"Old Copper"')` })
    .where(eq(invoices.id, id));
  const text = await pdfOf(person, { id });
  expect(text.match(/Old Copper/g)).toHaveLength(2);
  expect(text).not.toContain("Salt & Silver");
});

test("a credit note of an export has no negative zero", async () => {
  const person = await app.person();
  await shopper(app, person).buy("mini");
  await app.sweep();
  const [invoice] = await listOf(person);
  await app.db
    .update(payments)
    .set({ status: "refunded" })
    .where(eq(payments.id, invoice?.payment_id ?? ""));
  await app.sweep();
  const [note] = await listOf(person);
  const text = await pdfOf(person, { id: note?.id ?? "" });
  expect(text).toContain("IGST 0% $0");
  expect(text).toContain("-$3 USD");
  expect(text).not.toContain("-$0");
});

test("a deleted account's invoices stay in the books: without the name, but for a company's", async () => {
  const buyers = { "zed@example.com": undefined, "firm@example.com": acme };
  for (const [email, details] of Object.entries(buyers)) {
    const person = await app.person("hobby", { name: "Zed Person", email });
    if (details) await person.call("/api/billing-details", { method: "PUT", json: details });
    await shopper(app, person).buy("mini", { headers: india });
    await app.sweep();
    expect(await listOf(person)).toHaveLength(1);
    expect((await person.call("/api/delete-account", { method: "POST", json: { email } })).status).toBe(204);
  }
  const kept = await app.db.select().from(invoices).where(sql`${invoices.accountId} is null`);
  const written = JSON.stringify(kept);
  expect(kept).toHaveLength(2);
  expect(written).toContain("Customer of a deleted account");
  expect(written).toContain("Acme Media LLP");
  expect(written).not.toMatch(/Zed Person|@example/);
});

test("what was paid just before an account is deleted is invoiced by its billing details, once", async () => {
  const email = "haste@example.com";
  const person = await app.person("hobby", { name: "Hasty Person", email });
  await person.call("/api/billing-details", { method: "PUT", json: { ...acme, name: "Haste Media LLP" } });
  const buyer = shopper(app, person);
  await buyer.buy("mini", { headers: india });
  const [payment] = (await buyer.transactions()).transactions;
  expect((await person.call("/api/delete-account", { method: "POST", json: { email } })).status).toBe(204);
  await app.sweep();
  const issued = await app.db
    .select()
    .from(invoices)
    .where(eq(invoices.paymentId, payment?.id ?? ""));
  expect(issued).toMatchObject([
    { kind: "invoice", accountId: null, content: { buyer: { name: "Haste Media LLP", region: "29", email: "" } } },
  ]);
});

test("the accountant's CSV has a line for each document, credit notes negative, and nothing that a spreadsheet runs", async () => {
  const person = await app.person("hobby", { name: "=cmd()", email: "csv@example.com" });
  await person.call("/api/billing-details", { method: "PUT", json: { ...acme, name: "=HYPERLINK(1)" } });
  await shopper(app, person).buy("mini", { headers: india });
  await app.sweep();
  const [invoice] = await listOf(person);
  await app.db
    .update(payments)
    .set({ status: "refunded" })
    .where(eq(payments.id, invoice?.payment_id ?? ""));
  await app.sweep();
  const csv = await invoiceCsv(app.db, { from: "2026-03-10", to: "2026-03-10" });
  const [head, ...lines] = csv.trim().split("\r\n");
  expect(head).toMatch(/^number,kind,day,invoice,payment,buyer,/);
  const own = csv.split("\r\n").filter((line) => line.includes("HYPERLINK"));
  expect(lines.length).toBeGreaterThan(2);
  expect(own[0]).toContain("'=HYPERLINK(1)");
  expect(csv).toContain("998314,Salt & Silver mini monthly,INR,216.1,18,,,38.9,,255,yes");
  expect(csv).toContain("INR,-216.1,18,,,-38.9,,-255,yes");
  expect(await invoiceCsv(app.db, { from: "2026-03-11", to: "2026-03-12" })).toBe(`\uFEFF${head}\r\n`);
});

test("a financial year begins in April, and with it another series", () => {
  expect(seriesOn("A/{fy}/", "2026-03-31")).toBe("A/2526/");
  expect(seriesOn("A/{fy}/", "2026-04-01")).toBe("A/2627/");
  expect(seriesOn("A{year}-", "2026-12-31")).toBe("A2026-");
  expect(seriesOn("{fy}", "2099-05-01")).toBe("9900");
});

test("documents of a payment in test mode stay in series of their own when the gateway goes live", async () => {
  const person = await app.person();
  const buyer = shopper(app, person);
  await buyer.buy("mini");
  const [bought] = (await buyer.transactions()).transactions;
  const recorded = await app.db
    .select({ id: payments.id, isTest: payments.isTest })
    .from(payments)
    .where(eq(payments.id, bought?.id ?? ""));
  expect(recorded).toMatchObject([{ isTest: true }]);
  const { dependencies, place, insert } = liveService();
  const id = `pay_${place}`;
  await insert([{ id, isTest: true }]);
  await issueDue(dependencies);
  // Whatever the row says later, a credit note belongs to its invoice.
  await app.db.update(payments).set({ isTest: false, status: "refunded" }).where(eq(payments.id, id));
  await issueDue(dependencies);
  const numbers = await app.db
    .select({ number: invoices.number })
    .from(invoices)
    .where(eq(invoices.paymentId, id))
    .orderBy(asc(invoices.kind));
  expect(numbers).toEqual([{ number: `TEST-C${place}000001` }, { number: `TEST-${place}000001` }]);
});

// Several services on one database: on PostgreSQL each transaction has its own connection.
test("numbers run without a hole and without a double, with many processes issuing at once and some dying at it", async () => {
  const { dependencies, place, insert } = liveService();
  const ids = Array.from({ length: 40 }, (_, index) => `pay_${place}${index}`);
  const [account] = await app.db.select().from(accounts).limit(1);
  await insert(ids.map((id) => ({ id, accountId: account?.id ?? null })));
  /** Takes a number and crashes before the commit. */
  const die = () =>
    app.db
      .transaction(async (tx) => {
        await (await holdSeries(tx, place)).take();
        throw new Error("the process died");
      })
      .catch(() => undefined);
  await Promise.all([
    issueDue(dependencies),
    die(),
    issueDue(dependencies),
    die(),
    issueDue(dependencies),
    issueDue(dependencies),
    die(),
  ]);
  await issueDue(dependencies);
  const issued = await app.db
    .select({ sequence: invoices.sequence, paymentId: invoices.paymentId, number: invoices.number })
    .from(invoices)
    .where(like(invoices.series, place))
    .orderBy(asc(invoices.sequence));
  expect(issued.map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  expect(new Set(issued.map(({ paymentId }) => paymentId))).toEqual(new Set(ids));
  expect(issued[0]?.number).toBe(`${place}000001`);
  const [series] = await app.db.select().from(invoiceSeries).where(eq(invoiceSeries.name, place));
  expect(series?.last).toBe(ids.length);
});
