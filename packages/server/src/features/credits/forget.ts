import { eq } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import type { RemovedPerson } from "../accounts/account-removal.ts";
import { forgetHolder } from "./kept-counters.ts";
import { idempotencyKeys } from "./tables.ts";

/** Deletes a holder's counters, ledger and stored answers. The month's use is kept without a name. */
export async function forget(tx: Transaction, { key, keptKeys, now }: RemovedPerson): Promise<undefined> {
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, key));
  await forgetHolder(tx, { holder: key, keys: keptKeys, now });
}
