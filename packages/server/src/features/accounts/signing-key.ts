import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { idpJwks, idpTwoFactor } from "./tables.ts";

/** Any number, as long as every server uses the same and nothing else does. */
const signingKeyLock = 7_401_874;

export const signingAlgorithm = "RS256";

const isLiving = or(isNull(idpJwks.expiresAt), gt(idpJwks.expiresAt, sql`now()`));

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
      .where(and(eq(idpJwks.alg, signingAlgorithm), isLiving))
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

/**
 * Retires keys that were kept under another `TINTYPE_SECRET`: the provider cannot read them, and would sign no token. It makes a
 * new one then; tokens of the old ones stay good for their hour.
 */
export async function retireUnreadableKeys({
  db,
  secret,
  log,
}: {
  db: Database;
  secret: string;
  log: Pick<FastifyBaseLogger, "warn">;
}): Promise<void> {
  for (const { id, privateKey } of await db.select().from(idpJwks).where(isLiving)) {
    const isReadable = await symmetricDecrypt({ key: secret, data: JSON.parse(privateKey) }).then(
      () => true,
      () => false,
    );
    if (isReadable) continue;
    await db.update(idpJwks).set({ expiresAt: sql`now()` }).where(eq(idpJwks.id, id));
    log.warn({ key: id }, "a signing key was kept under another TINTYPE_SECRET, and is not used any more");
  }
}

/**
 * Encrypts what the provider keeps in the database (signing keys, authenticator apps, recovery codes) with the present secret where
 * it was encrypted with the one before. What neither of them opens stays as it is.
 */
export async function encryptAnew(
  db: Database,
  { secret, previousSecret }: { secret: string; previousSecret: string },
): Promise<void> {
  const anew = async (data: string): Promise<string> => {
    const opened = await symmetricDecrypt({ key: previousSecret, data }).catch(() => undefined);
    return opened === undefined ? data : symmetricEncrypt({ key: secret, data: opened });
  };
  for (const { id, privateKey } of await db.select().from(idpJwks).where(isLiving)) {
    const kept = JSON.parse(privateKey) as string; // better-auth writes the text as JSON
    const renewed = await anew(kept);
    // Unless another process was quicker.
    if (renewed !== kept)
      await db
        .update(idpJwks)
        .set({ privateKey: JSON.stringify(renewed) })
        .where(and(eq(idpJwks.id, id), eq(idpJwks.privateKey, privateKey)));
  }
  for (const { id, secret: app, backupCodes } of await db.select().from(idpTwoFactor)) {
    const renewed = { secret: await anew(app), backupCodes: await anew(backupCodes) };
    if (renewed.secret !== app || renewed.backupCodes !== backupCodes)
      await db
        .update(idpTwoFactor)
        .set(renewed)
        .where(and(eq(idpTwoFactor.id, id), eq(idpTwoFactor.secret, app)));
  }
}
