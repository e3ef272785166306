import type { BillingDetails } from "@tintype/contract";
import { eq } from "drizzle-orm";
import type { Queryable } from "../../platform/db/database.ts";
import { billingDetails } from "./tables.ts";

/** The billing details for a person's invoices; undefined if there are none. */
export async function findDetails(db: Queryable, accountId: string): Promise<BillingDetails | undefined> {
  const [row] = await db.select().from(billingDetails).where(eq(billingDetails.accountId, accountId));
  if (!row) return undefined;
  const { name, address, country, region, taxNumber } = row;
  return { name, address, country, region, tax_number: taxNumber };
}

export async function setDetails(db: Queryable, accountId: string, details: BillingDetails): Promise<void> {
  const { tax_number: taxNumber, region, country, ...rest } = details;
  const values = { ...rest, country, region: country === "IN" ? region : "", taxNumber };
  await db
    .insert(billingDetails)
    .values({ accountId, ...values })
    .onConflictDoUpdate({ target: billingDetails.accountId, set: values });
}

export async function removeDetails(db: Queryable, accountId: string): Promise<void> {
  await db.delete(billingDetails).where(eq(billingDetails.accountId, accountId));
}
