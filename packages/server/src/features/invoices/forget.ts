import { eq } from "drizzle-orm";
import type { Leaving } from "../accounts/leaving.ts";
import { removeDetails } from "./buyer.ts";
import { contentOf, formerBuyer, type InvoiceContent, type Issuing, issueInvoicesOf } from "./issue.ts";
import { invoices } from "./tables.ts";

/**
 * Invoices' part in the end of an account, before billing's: what was paid is invoiced first. The books keep every invoice. The person's name goes out of those that only had the
 * account's; those with billing details keep these, since they are what makes them invoices for the buyer's own books.
 */
export const leaveInvoices = (use: Issuing): Leaving => ({
  async forget(tx, { accountId }) {
    await issueInvoicesOf(tx, use, accountId);
    await removeDetails(tx, accountId);
    const rows = await tx.select().from(invoices).where(eq(invoices.accountId, accountId)).for("update");
    for (const row of rows) {
      const content = contentOf(row);
      const { buyer } = content;
      const kept: InvoiceContent = {
        ...content,
        buyer: buyer.address === undefined ? formerBuyer : { ...buyer, email: "" },
      };
      await tx.update(invoices).set({ accountId: null, content: kept }).where(eq(invoices.id, row.id));
    }
    return undefined;
  },
});
