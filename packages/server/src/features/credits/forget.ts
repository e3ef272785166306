import { eq } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import type { LeavingPerson } from "../accounts/leaving.ts";
import { forgetHolder } from "./kept-counters.ts";
import { idempotencyKeys } from "./tables.ts";

/** Deletes counters, ledger and answers under a key. The use of the month is kept without a name. */
export async function forget(tx: Transaction, { key, keptKeys, now }: LeavingPerson): Promise<undefined> {
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, key));
  await forgetHolder(tx, { holder: key, keys: keptKeys, now });
}
