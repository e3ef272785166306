import { DomainError, type Webhook, type WebhookSecret, type WebhookWithSecret } from "@tintype/contract";
import { webhookEventTypes } from "@tintype/contract/schemas";
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { webhookSecretMail } from "../accounts/account-mails.ts";
import { findAccount, lockOwnAccount } from "../accounts/accounts.ts";
import { secretOf } from "./secrets.ts";
import { webhookEndpoints } from "./tables.ts";

export type Endpoints = { db: Database; clock: Clock; masterSecret: string; origin: string };
type Row = typeof webhookEndpoints.$inferSelect;

/** Each is called at the end of every asynchronous job. */
const maxEndpoints = 10;
const hourMs = 3_600_000;

export async function listWebhooks({ db }: Pick<Endpoints, "db">, accountId: string): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.accountId, accountId), isNotNull(webhookEndpoints.url)))
    .orderBy(desc(webhookEndpoints.id));
  return rows.map(viewOf);
}

/** @throws conflict when there are too many */
export function makeWebhook(
  { db, clock, masterSecret }: Endpoints,
  accountId: string,
  url: string,
): Promise<WebhookWithSecret> {
  return db.transaction(async (tx) => {
    // Locks the account, so that concurrent requests are counted one after the other.
    await lockOwnAccount(tx, accountId);
    const mine = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.accountId, accountId), isNotNull(webhookEndpoints.url)));
    if (mine.length >= maxEndpoints)
      throw new DomainError("conflict", { detail: `An account can have up to ${maxEndpoints} webhooks. Remove one.` });
    const made = { id: newId("whk"), accountId, url, createdAt: clock.now() };
    const [row] = await tx.insert(webhookEndpoints).values(made).returning();
    if (!row) throw new Error("An inserted row was not returned.");
    return { ...viewOf(row), secret: secretOf(row, masterSecret) };
  });
}

/** @throws not-found */
export async function removeWebhook({ db }: Endpoints, accountId: string, id: string): Promise<void> {
  const gone = await db.delete(webhookEndpoints).where(mine(accountId, id)).returning({ id: webhookEndpoints.id });
  if (gone.length === 0) throw new DomainError("not-found");
}

/** Removes every webhook and secret of the account: it has a new owner. */
export async function removeAllWebhooks(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.accountId, accountId));
}

/** @throws not-found */
export async function rotateWebhook(
  dependencies: Endpoints,
  accountId: string,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<WebhookWithSecret> {
  const row = await rotate(dependencies, { accountId, where: mine(accountId, id), overlapHours });
  if (!row) throw new DomainError("not-found");
  return { ...viewOf(row), secret: secretOf(row, dependencies.masterSecret) };
}

/** The account's own secret, which signs deliveries to the `webhook_url` of single calls. */
export async function accountSecret(dependencies: Endpoints, accountId: string): Promise<WebhookSecret> {
  await keepAccountEndpoint(dependencies.db, { accountId, now: dependencies.clock.now() });
  const [row] = await dependencies.db.select().from(webhookEndpoints).where(ofSingleCalls(accountId));
  return secretView(row, dependencies);
}

export async function rotateAccountSecret(
  dependencies: Endpoints,
  accountId: string,
  overlapHours: number,
): Promise<WebhookSecret> {
  await keepAccountEndpoint(dependencies.db, { accountId, now: dependencies.clock.now() });
  const where = ofSingleCalls(accountId);
  return secretView(await rotate(dependencies, { accountId, where, overlapHours }), dependencies);
}

/** Inserts the row for single calls, if it is missing. */
export async function keepAccountEndpoint(
  db: Queryable,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  await db
    .insert(webhookEndpoints)
    .values({ id: newId("whk"), accountId, url: null, createdAt: now })
    .onConflictDoNothing();
}

export const ofSingleCalls = (accountId: string) =>
  and(eq(webhookEndpoints.accountId, accountId), isNull(webhookEndpoints.url));

const mine = (accountId: string, id: string) =>
  and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, id), isNotNull(webhookEndpoints.url));

async function rotate(
  { db, clock, origin }: Endpoints,
  { accountId, where, overlapHours }: { accountId: string; where: ReturnType<typeof mine>; overlapHours: number },
): Promise<Row | undefined> {
  const now = clock.now();
  const previousUntil = new Date(now.getTime() + overlapHours * hourMs);
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhookEndpoints)
      .set({ secretVersion: sql`${webhookEndpoints.secretVersion} + 1`, previousUntil })
      .where(where)
      .returning();
    if (!row) return undefined;
    const account = await findAccount(tx, accountId);
    if (!account?.email) return row;
    const key = `webhook-secret:${row.id}:${row.secretVersion}`;
    await putMail(tx, { key, accountId, message: webhookSecretMail(account, { origin }) }, now);
    return row;
  });
}

function secretView(row: Row | undefined, { masterSecret }: Endpoints): WebhookSecret {
  if (!row) throw new DomainError("unauthorized", { detail: "This account was deleted." });
  return { secret: secretOf(row, masterSecret), previous_until: row.previousUntil?.toISOString() ?? null };
}

const viewOf = ({ id, url, createdAt, previousUntil, disabledAt }: Row): Webhook => ({
  id,
  url: url ?? "",
  events: [...webhookEventTypes],
  created_at: createdAt.toISOString(),
  previous_until: previousUntil?.toISOString() ?? null,
  disabled_at: disabledAt?.toISOString() ?? null,
});
