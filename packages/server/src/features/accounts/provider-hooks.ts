import { errors } from "@tintype/contract";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { and, eq, gt, ne } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { builtInIssuer } from "./built-in-issuer.ts";
import { cleanName, refuseName } from "./person-name.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";
import { accounts, idpAccount, idpPasskey, idpSession, idpTwoFactor, idpUser } from "./tables.ts";

type HookOptions = { db: Database; origin: string; mails: ProviderMails; onTakeOver(subject: string): Promise<void> };

/** better-auth's name for an account that logs in with a password. */
const passwordProvider = "credential";
const maxPictureUrlLength = 1000;

type Profile = { name?: string | undefined; image?: string | null | undefined };

/** User fields that come from elsewhere, in the form we store. */
function cleanProfile({ name, image }: Profile): { name?: string; image?: string | null } {
  const isPicture = image && image.length <= maxPictureUrlLength && URL.canParse(image) && image.startsWith("https://");
  return {
    ...(name === undefined ? {} : { name: cleanName(name) }),
    ...(image === undefined ? {} : { image: isPicture ? image : null }),
  };
}

/** Our rules as better-auth hooks: names, password changes, and the take-over by an address's owner. */
export function providerHooks({ db, origin, mails, onTakeOver }: HookOptions) {
  return {
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        // Runs before better-auth, which stores a new password first and looks at the account only when it creates a session.
        const session = await findSession(ctx);
        if (session?.blockedAt && ctx.path !== "/sign-out") throw accountBlocked();
        // Only for the caller's own address. Otherwise anyone could make us mail strangers.
        if (ctx.path === "/send-verification-email" && !session)
          throw new APIError("UNAUTHORIZED", { code: "UNAUTHORIZED", message: "Please sign in again." });
        if (ctx.path === "/sign-up/email" || (ctx.path === "/update-user" && ctx.body?.name !== undefined)) {
          const refusal = refuseName(String(ctx.body?.name ?? ""));
          if (refusal) throw new APIError("BAD_REQUEST", { code: "NAME_NOT_ALLOWED", message: refusal });
        }
        // Tintype neither changes an account's address nor mails such a token. A validly signed one was forged with our key.
        if (ctx.path === "/verify-email" && movesAddress(String(ctx.query?.token ?? "")))
          throw new APIError("BAD_REQUEST", { code: "INVALID_TOKEN", message: "This link is not one of ours." });
        // Without this check, better-auth queries a passkey without an id, which its database rejects.
        if (ctx.path === "/passkey/verify-authentication" && typeof ctx.body?.response?.id !== "string")
          throw new APIError("BAD_REQUEST", {
            code: "AUTHENTICATION_FAILED",
            message: "This is not a passkey response.",
          });
        // Every other session ends, whatever the request says; tokens end with their sessions.
        if (ctx.path === "/change-password") return { context: { body: { ...ctx.body, revokeOtherSessions: true } } };
        return undefined;
      }),
      after: createAuthMiddleware(async (ctx) => {
        const { session, returned } = ctx.context;
        if (ctx.path === "/change-password" && session && !(returned instanceof APIError))
          await mails.sendPasswordChanged(session.user);
        if (ctx.path === "/passkey/verify-registration" && session && !(returned instanceof APIError))
          await mails.sendSecurityChanged(session.user, "passkey-added");
        await endReplacedSession(ctx);
      }),
    },
    databaseHooks: {
      user: {
        // Providers may omit the name.
        create: { before: async (user: Profile) => ({ data: cleanProfile({ ...user, name: user.name ?? "" }) }) },
        update: {
          before: async (user: Profile) => ({ data: cleanProfile(user) }),
          // API keys read the account's row, which would otherwise be updated only at the next sign-in.
          after: async (user: ProviderUser, ctx: { path?: string } | null) => {
            if (user.emailVerified) await markVerified(user.id);
            // These calls update the user only when they turn the second factor on or off.
            if (ctx?.path === "/two-factor/verify-totp") await mails.sendSecurityChanged(user, "app-added");
            if (ctx?.path === "/two-factor/disable") await mails.sendSecurityChanged(user, "app-removed");
          },
        },
      },
      session: {
        // The IP address is not stored: nothing needs it later.
        create: {
          before: async (session: { userId: string }) => {
            await refuseBlockedUser(session.userId);
            return { data: { ...session, ipAddress: null } };
          },
        },
      },
    },
    /** The link was mailed: whoever followed it owns the address. */
    async onPasswordReset(user: ProviderUser) {
      await takeOver(user.id);
      await db.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.id, user.id));
      await markVerified(user.id);
      await mails.sendPasswordChanged({ ...user, emailVerified: true });
    },
  };

  /** Whichever way they sign in. */
  async function refuseBlockedUser(subject: string): Promise<void> {
    const [account] = await db
      .select({ blockedAt: accounts.blockedAt })
      .from(accounts)
      .where(and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, subject)));
    if (account?.blockedAt) throw accountBlocked();
  }

  /** The session of the request's cookie, and whether its account is blocked; undefined where it has none. */
  async function findSession(ctx: HookContext): Promise<{ blockedAt: Date | null } | undefined> {
    const token = await sessionTokenOf(ctx);
    if (!token) return undefined;
    const account = and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, idpSession.userId));
    const [session] = await db
      .select({ blockedAt: accounts.blockedAt })
      .from(idpSession)
      .leftJoin(accounts, account)
      .where(and(eq(idpSession.token, token), gt(idpSession.expiresAt, systemClock.now())));
    return session;
  }

  async function markVerified(subject: string): Promise<void> {
    const account = and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, subject));
    await db.update(accounts).set({ emailVerified: true }).where(account);
  }

  /**
   * Removes the credentials of an account whose address was never verified: someone else may have created it to lock the
   * owner out, or to keep access after the owner moves in. Called when the owner arrives by a mailed link.
   */
  async function takeOver(userId: string): Promise<void> {
    const isTaken = await db.transaction(async (tx) => {
      const [user] = await tx.select().from(idpUser).where(eq(idpUser.id, userId)).for("update");
      if (!user || user.emailVerified) return false;
      await removeCredentials(tx, userId);
      return true;
    });
    if (isTaken) await onTakeOver(userId);
  }
}

/** All except the password that the owner has just set. */
async function removeCredentials(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(idpAccount).where(and(eq(idpAccount.userId, userId), ne(idpAccount.providerId, passwordProvider)));
  await tx.delete(idpPasskey).where(eq(idpPasskey.userId, userId));
  await tx.delete(idpTwoFactor).where(eq(idpTwoFactor.userId, userId));
  await tx.update(idpUser).set({ twoFactorEnabled: false }).where(eq(idpUser.id, userId));
  await tx.delete(idpSession).where(eq(idpSession.userId, userId));
}

/** Whether a mailed token, valid or not, would change an account's address. */
function movesAddress(token: string): boolean {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof payload === "object" && payload !== null && ("updateTo" in payload || "requestType" in payload);
  } catch {
    return false; // not a token: better-auth rejects it
  }
}

const accountBlocked = () =>
  new APIError("FORBIDDEN", { code: "ACCOUNT_BLOCKED", message: errors["account-blocked"].detail });

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Null or false if the request has no cookie with a session signed by this server. */
const sessionTokenOf = (ctx: HookContext) =>
  ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret);

/** A browser that signs in again as the same person keeps one session: the previous one ends. */
async function endReplacedSession(ctx: HookContext): Promise<void> {
  const newSession = ctx.context.newSession;
  // A correct password that still needs a second factor is not a sign-in.
  if (!newSession || (ctx.path === "/sign-in/email" && Reflect.get(newSession.user, "twoFactorEnabled") === true))
    return;
  const before = await sessionTokenOf(ctx);
  if (!before || before === newSession.session.token) return;
  const replaced = await ctx.context.internalAdapter.findSession(before);
  if (replaced?.session.userId === newSession.user.id) await ctx.context.internalAdapter.deleteSession(before);
}
