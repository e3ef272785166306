import { createHash, createHmac } from "node:crypto";
import { DomainError } from "@tintype/contract";
import { and, eq, gte, lt } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { deletedIdentities } from "./tables.ts";
import type { Identity } from "./token.ts";

type Subject = Pick<Identity, "issuer" | "subject">;

const keyOf = ({ issuer, subject }: Subject) =>
  createHash("sha256").update(`${issuer}\n${subject}`).digest("base64url");

/**
 * Remembers that an account was deleted: an older token is valid for up to another hour, and an open page would recreate
 * the account with it. Uses the system's time, by which the issuer stamps tokens.
 */
export async function rememberDeleted(tx: Transaction, who: Subject): Promise<void> {
  const at = systemClock.now();
  await tx
    .insert(deletedIdentities)
    .values({ key: keyOf(who), at })
    .onConflictDoUpdate({ target: deletedIdentities.key, set: { at } });
}

/** @throws unauthorized for a token from before the deletion; a later sign-in makes a new account */
export async function refuseDeleted(db: Database, identity: Subject & Pick<Identity, "issuedAt">): Promise<void> {
  const since = identity.issuedAt ?? new Date(0);
  const [found] = await db
    .select()
    .from(deletedIdentities)
    .where(and(eq(deletedIdentities.key, keyOf(identity)), gte(deletedIdentities.at, since)));
  if (found) throw new DomainError("unauthorized", { detail: "This account was deleted." });
}

/** Deletes records from before `before`: no token that old is still valid. */
export async function forgetDeleted(db: Database, before: Date): Promise<void> {
  await db.delete(deletedIdentities).where(lt(deletedIdentities.at, before));
}

export type KeptKeys = { identity: string; address?: string };

/**
 * The keys that recognise a person who deleted their account: their address and their identity, hashed with the server's
 * secret. Addresses are not normalised: `ann+1@example.com` and `a.nn@example.com` differ from `ann@example.com`, as they
 * do for many mail servers.
 */
export function keptKeysOf({ issuer, subject, email }: Subject & { email: string }, hashKey: string): KeptKeys {
  const keyed = (kind: string, value: string) =>
    createHmac("sha256", hashKey).update(`${kind}\n${value}`).digest("base64url");
  const address = email.trim().normalize("NFKC").toLowerCase();
  return {
    identity: keyed("identity", `${issuer}\n${subject}`),
    ...(address ? { address: keyed("address", address) } : {}),
  };
}
