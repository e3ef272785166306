import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { idpJwks, idpTwoFactor } from "./tables.ts";

/** An arbitrary advisory lock id: the same on every server, and used for nothing else. */
const signingKeyLock = 7_401_874;

export const signingAlgorithm = "RS256";

const isLiving = or(isNull(idpJwks.expiresAt), gt(idpJwks.expiresAt, sql`now()`));

type NewKey = Omit<typeof idpJwks.$inferInsert, "id">;

/**
 * Stores a new signing key, or returns the current one if another process was faster. A lock serialises all processes on
 * the database: with two keys created at once, a verifier that has read the first would reject the second.
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
 * Retires keys stored under another `TINTYPE_SECRET`: the provider cannot decrypt them, and could sign no token. It then
 * creates a new one; tokens of the old keys stay valid for their hour.
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
    log.warn({ key: id }, "a signing key was encrypted with another TINTYPE_SECRET and is no longer used");
  }
}

/**
 * Re-encrypts the provider's secrets in the database (signing keys, authenticator apps, recovery codes) from the previous
 * secret to the current one. Whatever neither can decrypt is left unchanged.
 */
export async function reencryptSecrets(
  db: Database,
  { secret, previousSecret }: { secret: string; previousSecret: string },
): Promise<void> {
  const reencrypt = async (data: string): Promise<string> => {
    const opened = await symmetricDecrypt({ key: previousSecret, data }).catch(() => undefined);
    return opened === undefined ? data : symmetricEncrypt({ key: secret, data: opened });
  };
  for (const { id, privateKey } of await db.select().from(idpJwks).where(isLiving)) {
    const kept = JSON.parse(privateKey) as string; // better-auth writes the text as JSON
    const renewed = await reencrypt(kept);
    // Unless another process was faster.
    if (renewed !== kept)
      await db
        .update(idpJwks)
        .set({ privateKey: JSON.stringify(renewed) })
        .where(and(eq(idpJwks.id, id), eq(idpJwks.privateKey, privateKey)));
  }
  for (const { id, secret: app, backupCodes } of await db.select().from(idpTwoFactor)) {
    const renewed = { secret: await reencrypt(app), backupCodes: await reencrypt(backupCodes) };
    if (renewed.secret !== app || renewed.backupCodes !== backupCodes)
      await db
        .update(idpTwoFactor)
        .set(renewed)
        .where(and(eq(idpTwoFactor.id, id), eq(idpTwoFactor.secret, app)));
  }
}
