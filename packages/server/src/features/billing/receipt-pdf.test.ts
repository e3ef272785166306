import { paymentSheetOf } from "@tintype/contract";
import { eq } from "drizzle-orm";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cards, shopper } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { writeReceiptPdf } from "./receipt-pdf.ts";
import { payments } from "./tables.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    clock: heldClock(),
    environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1", TINTYPE_COUNTRY_HEADER: "x-country" },
  });
});
afterAll(() => app.close());

/** The text of a PDF, with one space between words. */
async function textOf(answer: Response): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())), {
    mergePages: true,
  });
  return text.replace(/\s+/g, " ");
}

/** A person of this name who has just bought Plus for a year from India, and their receipt. */
async function receiptOf(name: string) {
  const person = await app.person("hobby", { name, email: "buyer@example.com" });
  const buyer = shopper(app, person);
  await buyer.buy("plus", { cycle: "yearly", headers: { "x-country": "IN" } });
  const [payment] = (await buyer.transactions()).transactions;
  const path = `/api/transactions/${payment?.id}/receipt.pdf`;
  return { person, payment, path, answer: await person.call(path) };
}

test("the PDF holds the facts of the printed receipt, in the letters of the buyer's name", async () => {
  const { answer, payment } = await receiptOf("Anna Łukasiewicz Ελένη Жукова");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="tintype-receipt-2026-03-10.pdf"');
  const text = await textOf(answer);
  for (const fact of [
    "Receipt number 2026-03-10-",
    "Receipt",
    "Test mode: no money was charged.",
    "Paid by Anna Łukasiewicz Ελένη Жукова buyer@example.com",
    "Paid to Tintype",
    "Date March 10, 2026",
    `Payment ID ${payment?.id}`,
    "Tintype Plus, yearly ₹4,590",
    "Paid ₹4,590 INR",
    "Paid with a test card. No card was charged.",
  ])
    expect(text).toContain(fact);
});

test("a receipt says by its payment, not by the gateway's present mode, whether money was charged", async () => {
  const { person, payment, path } = await receiptOf("Ann");
  await app.db
    .update(payments)
    .set({ isTest: false })
    .where(eq(payments.id, payment?.id ?? ""));
  const text = await textOf(await person.call(path));
  expect(text).toContain("Paid by card through Razorpay.");
  expect(text).not.toContain("Test mode");
  expect((await shopper(app, person).transactions()).transactions).toMatchObject([{ is_test: false }]);
});

test("a receipt has a number and the seller's address, and writes all its amounts alike", () => {
  const payment = {
    id: "pay_Q1abCDefGhIjKl",
    at: "2026-03-10T12:00:00.000Z",
    plan: "plus",
    billing_cycle: "monthly",
    amount_minor: 500,
    refunded_minor: 483,
    currency: "USD",
    status: "captured",
    is_test: false,
  } as const;
  const seller = {
    product: "Prints",
    seller: "Prints Ltd",
    address: "1 Dock Road\nCork",
    buyer: { name: "Ann", email: "" },
  };
  const sheet = paymentSheetOf(payment, seller);
  expect(sheet.facts).toEqual([
    { label: "Receipt number", value: "2026-03-10-efGhIjKl" },
    { label: "Paid to", value: "Prints Ltd\n1 Dock Road\nCork" },
    { label: "Date", value: "March 10, 2026" },
    { label: "Payment ID", value: payment.id },
  ]);
  expect([sheet.amount, sheet.returned?.amount]).toEqual(["$5.00", "$4.83"]);
  expect(paymentSheetOf({ ...payment, refunded_minor: 0 }, seller).amount).toBe("$5");
});

test("a name in letters that the PDF's fonts lack is not printed with holes: the file says where it stands", async () => {
  const hindi = await textOf((await receiptOf("प्रिया Rao")).answer);
  expect(hindi).toContain("Rao");
  expect(hindi).not.toContain("cannot show every character");
  const japanese = await textOf((await receiptOf("田中 Rao")).answer);
  expect(japanese).toContain(
    "This file cannot show every character of the name. The receipt on your account page does.",
  );
  expect(japanese).toContain("buyer@example.com");
  expect(japanese).not.toContain("Rao");
});

test("a receipt is its payer's alone, and a payment that failed has none", async () => {
  const { path } = await receiptOf("Ann");
  expect((await (await app.person()).call(path)).status).toBe(404);
  expect((await app.caller().call(path)).status).toBe(401);
  const bob = await app.person();
  const buyer = shopper(app, bob);
  const { subscription_id } = (await buyer.session("mini")).body;
  await buyer.pay(subscription_id, cards.declined);
  await app.sweep();
  const [failed] = (await buyer.transactions()).transactions;
  expect(failed?.status).toBe("failed");
  expect((await bob.call(`/api/transactions/${failed?.id}/receipt.pdf`)).status).toBe(404);
});

test("the operator's name stands whole at the head, beside the title, in any script that the fonts have", async () => {
  const sheet = paymentSheetOf(
    {
      id: "pay_1",
      at: "2026-03-10T12:00:00.000Z",
      plan: "plus",
      billing_cycle: "yearly",
      amount_minor: 500,
      refunded_minor: 0,
      currency: "USD",
      status: "captured",
      is_test: false,
    },
    { product: "Prints", seller: "Prints", buyer: { name: "Ann", email: "ann@example.com" } },
  );
  const headOf = async (name: string) => {
    const brand = { name, colours: undefined };
    const bytes = await writeReceiptPdf({ ...sheet, title: "Credit note" }, { now: new Date(0), brand });
    const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
    const { items } = await page.getTextContent();
    const parts = items.flatMap((item) => ("transform" in item && item.str.trim() ? [item] : []));
    const top = Math.max(...parts.map(({ transform }) => transform[5]));
    const head = parts.filter(({ transform }) => transform[5] === top);
    const title = head.find(({ str }) => str === "Credit note");
    const own = head.filter((part) => part !== title);
    return {
      text: own.map(({ str }) => str).join(""),
      right: Math.max(0, ...own.map(({ transform, width }) => transform[4] + width)),
      titleLeft: title?.transform[4],
    };
  };
  for (const name of [
    "Tintype",
    "Łódź Foto",
    "Жуков Фото",
    "चित्र",
    "W".repeat(40),
    `Łódź ${"Photographs ".repeat(2)}Ж`,
  ]) {
    const { text, right, titleLeft } = await headOf(name);
    // A PDF stores letters in drawing order.
    const lettersOf = (written: string) => [...written.replace(/\s/g, "")].sort();
    expect(lettersOf(text), name).toEqual(lettersOf(name));
    expect(right, name).toBeLessThan(titleLeft);
  }
  expect(await headOf("田中写真")).toMatchObject({ text: "" });
});
