import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteMails } from "../../platform/mail-outbox.ts";
import type { LeavingPerson } from "../accounts/leaving.ts";
import { mailKey } from "./contact.ts";
import { answersOf } from "./messages.ts";
import { contactMessages } from "./tables.ts";

/**
 * Deletes what was written from the holder's address. Anybody can type an address at the sign-up: only its owner may
 * have what was written from it deleted.
 */
export async function forget(tx: Transaction, { email, emailVerified }: LeavingPerson): Promise<undefined> {
  if (!emailVerified) return;
  const written = await tx
    .delete(contactMessages)
    .where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()))
    .returning({ id: contactMessages.id });
  const keys = written.map(({ id }) => mailKey(id));
  if (keys.length > 0) await deleteMails(tx, { keys });
  for (const { id } of written) await deleteMails(tx, { accountId: answersOf(id) });
}
