import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { contactMessages } from "../../platform/db/tables.ts";
import type { Holder } from "../accounts/leaving.ts";

/**
 * Deletes what was written from the holder's address. Anybody can type an address at the sign-up: only its owner may
 * have what was written from it deleted.
 */
export async function forget(tx: Transaction, { email, emailVerified }: Holder): Promise<undefined> {
  if (emailVerified)
    await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()));
}
