import { APIError, createAuthMiddleware } from "better-auth/api";
import { and, eq, ne } from "drizzle-orm";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { accounts, idpAccount, idpSession, idpUser } from "../../platform/db/tables.ts";
import { builtInIssuer } from "./built-in-issuer.ts";
import { cleanName, refuseName } from "./person-name.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";

type Hooking = { db: Database; origin: string; mails: ProviderMails; onTakeOver(subject: string): Promise<void> };

/** better-auth's name for an account that logs in with a password. */
const passwordProvider = "credential";
const longestPicture = 1000;

type Profile = { name?: string | undefined; image?: string | null | undefined };

/** Fields of a user that come from elsewhere, as we keep them. */
function cleanProfile({ name, image }: Profile): { name?: string; image?: string | null } {
  const isPicture = image && image.length <= longestPicture && URL.canParse(image) && image.startsWith("https://");
  return {
    ...(name === undefined ? {} : { name: cleanName(name) }),
    ...(image === undefined ? {} : { image: isPicture ? image : null }),
  };
}

/** Our rules inside better-auth: names, password changes, and the owner's take-over. */
export function providerHooks({ db, origin, mails, onTakeOver }: Hooking) {
  return {
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path === "/sign-up/email" || (ctx.path === "/update-user" && ctx.body?.name !== undefined)) {
          const refusal = refuseName(String(ctx.body?.name ?? ""));
          if (refusal) throw new APIError("BAD_REQUEST", { code: "NAME_NOT_ALLOWED", message: refusal });
        }
        // Every other session ends, whatever the request says; tokens end with their sessions.
        if (ctx.path === "/change-password") return { context: { body: { ...ctx.body, revokeOtherSessions: true } } };
        return undefined;
      }),
      after: createAuthMiddleware(async (ctx) => {
        const { session, returned } = ctx.context;
        if (ctx.path === "/change-password" && session && !(returned instanceof APIError))
          await mails.sendPasswordChanged(session.user);
      }),
    },
    databaseHooks: {
      user: {
        // A provider need not know a name.
        create: { before: async (user: Profile) => ({ data: cleanProfile({ ...user, name: user.name ?? "" }) }) },
        update: {
          before: async (user: Profile) => ({ data: cleanProfile(user) }),
          // API keys ask the account, which else hears of it at the next sign-in.
          after: async (user: ProviderUser) => {
            if (user.emailVerified) await markVerified(user.id);
          },
        },
      },
      account: {
        create: {
          before: async ({ userId, providerId }: { userId: string; providerId: string }) => {
            if (providerId !== passwordProvider) await takeOver(userId);
          },
        },
      },
    },
    /** The link came by mail: the person who followed it owns the address. */
    async onPasswordReset(user: ProviderUser) {
      await takeOver(user.id, { keeps: passwordProvider });
      await db.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.id, user.id));
      await markVerified(user.id);
      await mails.sendPasswordChanged({ ...user, emailVerified: true });
    },
  };

  async function markVerified(subject: string): Promise<void> {
    const account = and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, subject));
    await db.update(accounts).set({ emailVerified: true }).where(account);
  }

  /**
   * Removes the ways into an account whose address was never verified: somebody else may have made it to keep the
   * owner out, or to wait inside. Called when the owner comes, by a provider that has verified the address (better-auth
   * links no other) or by a mailed link.
   */
  async function takeOver(userId: string, { keeps }: { keeps?: string } = {}): Promise<void> {
    const isTaken = await db.transaction(async (tx) => {
      const [user] = await tx.select().from(idpUser).where(eq(idpUser.id, userId)).for("update");
      if (!user || user.emailVerified) return false;
      const ways = await removeWaysIn(tx, userId, keeps);
      return ways > 0 || keeps !== undefined;
    });
    if (isTaken) await onTakeOver(userId);
  }
}

async function removeWaysIn(tx: Transaction, userId: string, keeps: string | undefined): Promise<number> {
  const mine = eq(idpAccount.userId, userId);
  const removed = await tx
    .delete(idpAccount)
    .where(keeps === undefined ? mine : and(mine, ne(idpAccount.providerId, keeps)))
    .returning({ id: idpAccount.id });
  await tx.delete(idpSession).where(eq(idpSession.userId, userId));
  return removed.length;
}
