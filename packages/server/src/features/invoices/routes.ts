import { type BillingDetails, DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { and, eq } from "drizzle-orm";
import type { Mount } from "../../http/endpoint.ts";
import { openPrintFonts, printedScripts } from "../../platform/print-fonts.ts";
import { lockOwnAccount } from "../accounts/accounts.ts";
import { writeReceiptPdf } from "../billing/receipt-pdf.ts";
import { findDetails, removeDetails, setDetails } from "./buyer.ts";
import { contentOf, type InvoiceDependencies, issueDue } from "./issue.ts";
import { listInvoices } from "./list.ts";
import { invoiceSheetOf } from "./sheet.ts";
import { invoices } from "./tables.ts";

export type Invoices = {
  /** Issues what is due. */
  sweep(): Promise<void>;
};

/** The caller's invoices and billing details. */
export function mountInvoices(mount: Mount, dependencies: InvoiceDependencies): Invoices {
  const { db, brand } = dependencies;
  mount(endpoints.billingDetails, async ({ caller }) => ({
    issues_invoices: brand.invoices !== undefined,
    details: (await findDetails(db, caller.accountId)) ?? null,
  }));
  mount(endpoints.setBillingDetails, async ({ caller, body }) => {
    refuseUnprintable(body);
    await db.transaction(async (tx) => {
      await lockOwnAccount(tx, caller.accountId);
      await setDetails(tx, caller.accountId, body);
    });
  });
  mount(endpoints.removeBillingDetails, ({ caller }) => removeDetails(db, caller.accountId));
  mount(endpoints.invoices, ({ caller, query }) => listInvoices(db, caller.accountId, query));
  mount(endpoints.invoicePdf, async ({ caller, params, reply }) => {
    const [row] = await db
      .select()
      .from(invoices)
      .where(and(eq(invoices.accountId, caller.accountId), eq(invoices.id, params.id)));
    if (!row) throw new DomainError("not-found");
    return reply
      .type("application/pdf")
      .header("content-disposition", `attachment; filename="${row.number.replace(/[^A-Za-z0-9-]/g, "-")}.pdf"`)
      .send(
        await writeReceiptPdf(invoiceSheetOf(row), {
          now: row.issuedAt,
          // Under the name at the time of issue.
          brand: { name: contentOf(row).product, colours: brand.colours },
        }),
      );
  });
  return { sweep: () => issueDue(dependencies) };
}

/** @throws invalid-request for characters that an invoice could not print */
function refuseUnprintable(details: BillingDetails): void {
  const fonts = openPrintFonts();
  for (const field of ["name", "address", "tax_number"] as const) {
    const letter = fonts.findUnprintable(details[field]);
    if (letter === undefined) continue;
    const detail = `Invoices cannot print “${letter}”. Use ${printedScripts}.`;
    throw new DomainError("invalid-request", { field, detail });
  }
}
