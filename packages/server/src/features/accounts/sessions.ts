import { DomainError } from "@tintype/contract";
import { and, eq, gt, lt } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { cleanName } from "./person-name.ts";
import { idpSession, idpUser, idpVerification } from "./tables.ts";
import type { ConfirmIdentity } from "./token.ts";

/**
 * A token of the built-in provider is valid while the session it was issued for (`sid`) exists: signing out or setting a
 * new password ends it at once, in every process on the database. The person is read from the database, not from the
 * token.
 */
export function confirmBySession(db: Database): ConfirmIdentity {
  return async (identity, { sid }) => {
    if (typeof sid !== "string") throw new DomainError("unauthorized");
    const [user] = await db
      .select({
        email: idpUser.email,
        emailVerified: idpUser.emailVerified,
        name: idpUser.name,
        picture: idpUser.image,
        signedInAt: idpSession.createdAt,
      })
      .from(idpSession)
      .innerJoin(idpUser, eq(idpUser.id, idpSession.userId))
      .where(and(eq(idpSession.id, sid), eq(idpUser.id, identity.subject), gt(idpSession.expiresAt, new Date())));
    if (!user) throw new DomainError("unauthorized");
    return { ...identity, ...user, name: cleanName(user.name) || user.email };
  };
}

/**
 * Deletes expired sessions, with their browser data, and expired mailed links and challenges. Uses the system's time, by
 * which better-auth stamps them.
 */
export async function sweepSessions(db: Database): Promise<void> {
  const now = systemClock.now();
  await db.delete(idpSession).where(lt(idpSession.expiresAt, now));
  await db.delete(idpVerification).where(lt(idpVerification.expiresAt, now));
}
