import { eq, like, or } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteMails } from "../../platform/mail-outbox.ts";
import type { RemovedPerson } from "./account-removal.ts";
import { outboxOwnerOf } from "./built-in-issuer.ts";
import { rememberDeleted } from "./deleted.ts";
import { accounts, idpUser, idpVerification } from "./tables.ts";

/**
 * Deletes the account, with everything that references its row, and its identity if ours is the provider. Older tokens are
 * refused from now on.
 */
export async function forget(
  tx: Transaction,
  { accountId, issuer, subject, email }: RemovedPerson,
  { builtInIssuer }: { builtInIssuer: string | undefined },
): Promise<void> {
  await deleteMails(tx, { accountId: outboxOwnerOf(subject) });
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  if (issuer === builtInIssuer) {
    // Sessions and passwords are deleted with it.
    await tx.delete(idpUser).where(eq(idpUser.id, subject));
    await tx
      .delete(idpVerification)
      .where(
        or(
          eq(idpVerification.value, subject),
          like(idpVerification.identifier, `%${email.replace(/[\\%_]/g, "\\$&")}%`),
        ),
      );
  }
  await rememberDeleted(tx, { issuer, subject });
}
