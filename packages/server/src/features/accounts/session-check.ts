import { DomainError } from "@tintype/contract";
import { and, eq, gt } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { cleanName } from "./person-name.ts";
import { idpSession, idpUser } from "./tables.ts";
import type { ConfirmIdentity } from "./token.ts";

/**
 * A token of the built-in provider counts while the session that it was made for (`sid`) is there: signing out and a new
 * password end it at once, on every process of the database. The person is as the database has them now.
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
