import { randomBytes } from "node:crypto";
import { errors } from "@tintype/contract";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { and, eq, gt } from "drizzle-orm";
import { jwtVerify } from "jose";
import { isFreshSignIn } from "../../http/caller.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { SecurityChange } from "./account-mails.ts";
import type { TakeOver } from "./accounts.ts";
import { type Admission, refusalOf } from "./admission.ts";
import { builtInIssuer } from "./built-in-issuer.ts";
import { guessHooks } from "./guess-hooks.ts";
import { createGuesses } from "./guesses.ts";
import { findInvitation } from "./invitations.ts";
import { invitationTokenIn } from "./join.ts";
import { cleanName, refuseName } from "./person-name.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";
import { accounts, idpSession, idpUser } from "./tables.ts";
import { type ProvedBy, passwordProvider, proveAddress } from "./take-over.ts";

type HookOptions = {
  db: Database;
  clock: Clock;
  origin: string;
  mails: ProviderMails;
  takeOver: TakeOver;
  rateLimits: RateLimits;
  secret: string;
  admission: Admission;
};

/** The page for whoever follows a verification link without being logged in to its account. */
const verifyPath = "/account/verify";
/** The mails that calls of a session cause, once they have succeeded. */
const securityChanges: Partial<Record<string, SecurityChange>> = {
  "/passkey/verify-registration": "passkey-added",
  "/passkey/delete-passkey": "passkey-removed",
  "/two-factor/generate-backup-codes": "recovery-codes-renewed",
};
const hourMs = 3_600_000;
const maxPictureUrlLength = 1000;

type Profile = { name?: string | undefined; image?: string | null | undefined };
type UserChange = Profile & { emailVerified?: boolean | undefined };
type NewUser = Profile & { email: string; emailVerified?: boolean | undefined };
type PathContext = { path?: string } | null;

/** User fields that come from elsewhere, in the form we store. */
function cleanProfile({ name, image }: Profile): { name?: string; image?: string | null } {
  const isPicture = image && image.length <= maxPictureUrlLength && URL.canParse(image) && image.startsWith("https://");
  return {
    ...(name === undefined ? {} : { name: cleanName(name) }),
    ...(image === undefined ? {} : { image: isPicture ? image : null }),
  };
}

/** Our rules as better-auth hooks: names, password changes, and the take-over by an address's owner. */
export function providerHooks({ db, clock, origin, mails, takeOver, rateLimits, secret, admission }: HookOptions) {
  const guesses = guessHooks({ db, mails, secret, guesses: createGuesses({ rateLimits, secret }) });
  /** Requests in which Google has said that the address is the person's. */
  const provedByGoogle = new WeakSet<object>();
  return {
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        // Runs before better-auth, which stores a new password first and looks at the account only when it creates a session.
        const session = await findSession({ db, origin }, ctx);
        if (session?.blockedAt && ctx.path !== "/sign-out") throw accountBlocked();
        await guesses.before(ctx, session);
        refuseCall(ctx, session);
        if (ctx.path === "/verify-email") {
          const page = await pageForOthers(ctx, session?.userId);
          if (page) throw ctx.redirect(page);
        }
        // Every other session ends, whatever the request says; tokens end with their sessions.
        if (ctx.path === "/change-password") return { context: { body: { ...ctx.body, revokeOtherSessions: true } } };
        return undefined;
      }),
      after: createAuthMiddleware(async (ctx) => {
        const { session, returned } = ctx.context;
        await guesses.after(ctx);
        if (ctx.path === "/change-password" && session && !(returned instanceof APIError))
          await mails.sendPasswordChanged(session.user);
        const change = securityChanges[ctx.path];
        if (change && session && !(returned instanceof APIError)) await mails.sendSecurityChanged(session.user, change);
        await endReplacedSession(ctx);
      }),
    },
    databaseHooks: {
      user: {
        // Providers may omit the name.
        create: {
          before: async (user: NewUser, ctx: HookContext | null) => ({ data: await profileOfNew(user, ctx) }),
        },
        update: {
          // What Google says is recorded below, together with its consequences.
          before: async (user: UserChange, ctx: PathContext) => {
            const isProof = user.emailVerified === true && isGoogleReturn(ctx);
            if (isProof) provedByGoogle.add(ctx);
            return { data: { ...cleanProfile(user), ...(isProof ? { emailVerified: false } : {}) } };
          },
          after: async (user: ProviderUser, ctx: PathContext) => {
            if (ctx && provedByGoogle.delete(ctx)) await prove(user.id, "provider");
            // API keys read the account's row, which would otherwise be updated only at the next sign-in.
            if (user.emailVerified) await markVerified(user.id);
            // These calls update the user only when they turn the second factor on or off.
            if (ctx?.path === "/two-factor/verify-totp") await mails.sendSecurityChanged(user, "app-added");
            if (ctx?.path === "/two-factor/disable") await mails.sendSecurityChanged(user, "app-removed");
          },
        },
      },
      account: {
        create: {
          // better-auth links Google to a session's account only if Google has verified the same address.
          after: async ({ userId, providerId }: { userId: string; providerId: string }, ctx: HookContext | null) => {
            if (providerId === passwordProvider || !ctx || !isGoogleReturn(ctx)) return;
            if ((await findSession({ db, origin }, ctx))?.userId !== userId) return;
            await prove(userId, "maker");
            const [user] = await db.select().from(idpUser).where(eq(idpUser.id, userId));
            if (user) await mails.sendSecurityChanged(user, "google-linked");
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
      await prove(user.id, "password");
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

  async function markVerified(subject: string): Promise<void> {
    const account = and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, subject));
    await db.update(accounts).set({ emailVerified: true }).where(account);
  }

  /**
   * An invitation is accepted later, with the account.
   * @throws APIError when the address may not sign up
   */
  async function profileOfNew(user: NewUser, ctx: HookContext | null) {
    const token = invitationTokenIn(ctx?.headers?.get("cookie"), origin.startsWith("https:"));
    const { email, emailVerified = false } = user;
    const invitation = await findInvitation(db, { token, email, emailVerified, now: clock.now() });
    const refusal = refusalOf(admission, email, invitation);
    if (refusal) throw new APIError("FORBIDDEN", { code: "NOT_ADMITTED", message: refusal });
    return cleanProfile({ ...user, name: user.name ?? "" });
  }

  function prove(userId: string, by: ProvedBy): Promise<void> {
    return proveAddress({ db, issuer: builtInIssuer(origin), takeOver }, userId, by);
  }

  /**
   * The verification link proves an address only in a browser that is logged in to the account: whoever merely follows it may
   * be the owner of an address with which a stranger signed up, or a mail scanner. They get a page that asks for the
   * password of the sign-up, or for a new one, which ends what the stranger made.
   */
  async function pageForOthers(ctx: HookContext, userId: string | undefined): Promise<string | undefined> {
    const link = String(ctx.query?.token ?? "");
    const email = await addressIn(link, ctx.context.secret);
    if (email === undefined) return undefined; // better-auth explains it
    const [user] = await db.select().from(idpUser).where(eq(idpUser.email, email));
    if (!user || user.emailVerified || user.id === userId) return undefined;
    const token = randomBytes(24).toString("hex");
    await ctx.context.internalAdapter.createVerificationValue({
      identifier: `reset-password:${token}`,
      value: user.id,
      expiresAt: new Date(systemClock.now().getTime() + hourMs),
    });
    return `${verifyPath}?${new URLSearchParams({ link, token })}`;
  }
}

/** Calls that better-auth would accept, or fail on. @throws APIError */
function refuseCall(ctx: HookContext, session: { createdAt: Date } | undefined): void {
  // As for adding one. The plugin checks only that the passkey is the session's.
  if (ctx.path === "/passkey/delete-passkey" && session && !isFreshSignIn(session.createdAt, systemClock.now()))
    throw new APIError("FORBIDDEN", { code: "SESSION_NOT_FRESH", message: "Please sign in again first." });
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
}

/** The session of the request's cookie, and whether its account is blocked; undefined where it has none. */
async function findSession(
  { db, origin }: Pick<HookOptions, "db" | "origin">,
  ctx: HookContext,
): Promise<{ userId: string; createdAt: Date; blockedAt: Date | null } | undefined> {
  const token = await sessionTokenOf(ctx);
  if (!token) return undefined;
  const account = and(eq(accounts.issuer, builtInIssuer(origin)), eq(accounts.subject, idpSession.userId));
  const [session] = await db
    .select({ userId: idpSession.userId, createdAt: idpSession.createdAt, blockedAt: accounts.blockedAt })
    .from(idpSession)
    .leftJoin(accounts, account)
    .where(and(eq(idpSession.token, token), gt(idpSession.expiresAt, systemClock.now())));
  return session;
}

/** The address that a mailed link verifies; undefined if the link is not valid now. */
async function addressIn(link: string, secret: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(link, new TextEncoder().encode(secret), { algorithms: ["HS256"] });
    return typeof payload["email"] === "string" ? payload["email"] : undefined;
  } catch {
    return undefined;
  }
}

/** Where Google sends people back to. */
const isGoogleReturn = (ctx: PathContext): ctx is { path: string } => ctx?.path?.includes("/callback/") === true;

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
