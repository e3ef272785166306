import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { idpJwks } from "../../platform/db/tables.ts";
import { newId } from "../../platform/id.ts";

/** Any number, as long as every server uses the same and nothing else does. */
const signingKeyLock = 7_401_874;

export const signingAlgorithm = "RS256";

type NewKey = Omit<typeof idpJwks.$inferInsert, "id">;

/**
 * Keeps a new signing key, or answers the living one where another process was quicker. One of all processes on the
 * database is here at a time: with two keys made at once, a verifier that has read the first would refuse the second.
 */
export function keepSigningKey(db: Database, key: NewKey): Promise<typeof idpJwks.$inferSelect> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${signingKeyLock})`);
    const [living] = await tx
      .select()
      .from(idpJwks)
      .where(and(eq(idpJwks.alg, signingAlgorithm), or(isNull(idpJwks.expiresAt), gt(idpJwks.expiresAt, sql`now()`))))
      .orderBy(desc(idpJwks.createdAt))
      .limit(1);
    if (living) return living;
    const [made] = await tx
      .insert(idpJwks)
      .values({ ...key, id: newId("key") })
      .returning();
    if (!made) throw new Error("The signing key could not be kept.");
    return made;
  });
}
