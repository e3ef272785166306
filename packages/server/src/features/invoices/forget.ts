import { eq } from "drizzle-orm";
import type { AccountRemoval } from "../accounts/account-removal.ts";
import { removeDetails } from "./buyer.ts";
import { contentOf, formerBuyer, type InvoiceContent, type InvoiceDependencies, issueInvoicesOf } from "./issue.ts";
import { invoices } from "./tables.ts";

/**
 * The invoices' part in an account's deletion, before billing's: payments are invoiced first. The books keep every
 * invoice. If the person's name came only from the account, it is removed. Billing details stay, since the invoice needs
 * them for the buyer's own books.
 */
export const leaveInvoices = (dependencies: InvoiceDependencies): AccountRemoval => ({
  async forget(tx, { accountId }) {
    await issueInvoicesOf(tx, dependencies, accountId);
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
