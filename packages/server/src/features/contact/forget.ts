import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteMails } from "../../platform/mail-outbox.ts";
import type { RemovedPerson } from "../accounts/account-removal.ts";
import { mailKey } from "./contact.ts";
import { answersOf } from "./messages.ts";
import { contactMessages } from "./tables.ts";

/**
 * Deletes the messages sent under the holder's address. Anyone can sign up with any address, so only its verified owner
 * may have them deleted.
 */
export async function forget(tx: Transaction, { email, emailVerified }: RemovedPerson): Promise<undefined> {
  if (!emailVerified) return;
  const written = await tx
    .delete(contactMessages)
    .where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()))
    .returning({ id: contactMessages.id });
  const keys = written.map(({ id }) => mailKey(id));
  if (keys.length > 0) await deleteMails(tx, { keys });
  for (const { id } of written) await deleteMails(tx, { accountId: answersOf(id) });
}
