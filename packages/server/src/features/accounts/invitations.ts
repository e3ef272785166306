import { createHash, randomBytes } from "node:crypto";
import type { DeskRole, Invitation } from "@tintype/contract";
import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { dayMs } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { invitations } from "./tables.ts";

/** The maker of the invitation that makes the owner of a fresh installation. */
export const setUp = "set-up";

export type NewInvitation = {
  email?: string | undefined;
  role?: DeskRole | undefined;
  days: number;
  /** An account, `command`, or `set-up`. */
  createdBy: string;
};

type InvitationRow = typeof invitations.$inferSelect;
export type OpenInvitation = Pick<InvitationRow, "id" | "email" | "role" | "createdBy">;

/** Invitations that nobody accepted are kept for this long after they ended. */
const retentionMs = 90 * dayMs;
const maxListed = 100;

/** 192 bits: nobody guesses one, and its hash needs no salt. */
const newToken = () => randomBytes(24).toString("base64url");
const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** Makes an invitation. Its token is in the answer only. */
export async function makeInvitation(
  tx: Queryable,
  { email, role, days, createdBy }: NewInvitation,
  now: Date,
): Promise<{ invitation: Invitation; token: string }> {
  await tx
    .delete(invitations)
    .where(and(isNull(invitations.accountId), lt(invitations.expiresAt, new Date(now.getTime() - retentionMs))));
  const token = newToken();
  const [row] = await tx
    .insert(invitations)
    .values({
      id: newId("inv"),
      tokenHash: hashOf(token),
      email: email?.toLowerCase() ?? null,
      role: role ?? null,
      createdAt: now,
      createdBy,
      expiresAt: new Date(now.getTime() + days * dayMs),
    })
    .returning();
  if (!row) throw new Error("the database returned no invitation");
  return { invitation: viewOf(row, now), token };
}

/** The link that an invitation is accepted with. */
export const invitationLink = (origin: string, token: string): string => `${origin}/join/${token}`;

/** Newest first. */
export async function listInvitations(db: Queryable, now: Date): Promise<Invitation[]> {
  const rows = await db.select().from(invitations).orderBy(desc(invitations.createdAt)).limit(maxListed);
  return rows.map((row) => viewOf(row, now));
}

const isOpenAt = (now: Date): SQL | undefined =>
  and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt), gt(invitations.expiresAt, now));

/** Revokes one that is open. Returns whether it was. */
export async function revokeInvitation(tx: Queryable, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const rows = await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.id, id), isOpenAt(now)))
    .returning({ id: invitations.id });
  return rows.length > 0;
}

/** Revokes the open set-up invitations: a later start logs another link. */
export async function revokeSetUp(tx: Queryable, now: Date): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.createdBy, setUp), isOpenAt(now)));
}

/** The open invitation of a link. */
export async function findByToken(
  db: Queryable,
  { token, now }: { token: string; now: Date },
): Promise<OpenInvitation | undefined> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.tokenHash, hashOf(token)), isOpenAt(now)));
  return row;
}

/**
 * The open invitation that a person can accept: of their link, unless it is for another address; otherwise of their address, if
 * that is verified. Addresses are compared whole: `ann+1@example.com` is another one than `ann@example.com`.
 */
export async function findInvitation(
  db: Queryable,
  who: { token: string | undefined; email: string; emailVerified: boolean; now: Date },
): Promise<OpenInvitation | undefined> {
  const { token, emailVerified, now } = who;
  const email = who.email.toLowerCase();
  const ofAddress = eq(invitations.email, email);
  const hasLink =
    token === undefined
      ? undefined
      : and(eq(invitations.tokenHash, hashOf(token)), or(isNull(invitations.email), ofAddress));
  const ways = [hasLink, emailVerified && email !== "" ? ofAddress : undefined].filter((way) => way !== undefined);
  if (ways.length === 0) return undefined;
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(or(...ways), isOpenAt(now)))
    .orderBy(sql`${invitations.tokenHash} = ${hashOf(token ?? "")} desc`, desc(invitations.createdAt))
    .limit(1);
  return row;
}

/** Accepts it for a new account, in the transaction that creates the account. Of two at once, one returns true. */
export async function acceptInvitation(
  tx: Queryable,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<boolean> {
  const rows = await tx
    .update(invitations)
    .set({ acceptedAt: now, accountId })
    .where(and(eq(invitations.id, id), isOpenAt(now)))
    .returning({ id: invitations.id });
  return rows.length > 0;
}

function viewOf(row: InvitationRow, now: Date): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: stateOf(row, now),
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: row.expiresAt.toISOString(),
    account_id: row.accountId,
  };
}

function stateOf({ acceptedAt, revokedAt, expiresAt }: InvitationRow, now: Date): Invitation["state"] {
  if (acceptedAt) return "used";
  if (revokedAt) return "revoked";
  return expiresAt <= now ? "expired" : "open";
}
