import { createHmac } from "node:crypto";
import { APIError, type createAuthMiddleware } from "better-auth/api";
import { and, eq, gt } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Guesses } from "./guesses.ts";
import type { ProviderMails } from "./provider-mails.ts";
import { idpUser, idpVerification } from "./tables.ts";

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** The calls of a session that check the account's password again. */
const passwordAgain = new Set([
  "/change-password",
  "/verify-password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/two-factor/get-totp-uri",
]);
const codeCalls = new Set(["/two-factor/verify-totp", "/two-factor/verify-backup-code"]);

/** Browsers in which somebody has signed in to the account, or set its password by a mailed link. */
const knownBrowser = { name: "known_browser", maxAge: 400 * 86_400 };
/** A code is valid for its 30 seconds and for those before and after. */
const codeLifeMs = 120_000;

type Guess = { key: string; userId: string | undefined; kind: "password" | "code"; codeId: string | undefined };

/**
 * Limits guesses by account, wherever they come from. A browser that the account knows has guesses of its own, and a mailed link
 * for a new password makes a browser known: strangers cannot keep the owner out.
 */
export function guessHooks({
  db,
  guesses,
  mails,
  secret,
}: {
  db: Database;
  guesses: Guesses;
  mails: ProviderMails;
  secret: string;
}) {
  const taken = new WeakMap<Request, Guess>();

  return {
    /** @throws APIError TOO_MANY_ATTEMPTS; INVALID_CODE for a code that was used */
    async before(ctx: HookContext, session: { userId: string } | undefined): Promise<void> {
      const guess = await guessOf(ctx, session);
      if (guess) await take(ctx, guess);
      if (ctx.path !== "/reset-password") return;
      const owner = await findPending(`reset-password:${String(ctx.body?.token ?? ctx.query?.token ?? "")}`);
      if (owner) await know(ctx, owner);
    },
    async after(ctx: HookContext): Promise<void> {
      const guess = ctx.request && taken.get(ctx.request);
      const isRefused = ctx.context.returned instanceof APIError;
      if (guess && !isRefused) await guesses.refund(guess.key);
      if (guess?.codeId && isRefused) await db.delete(idpVerification).where(eq(idpVerification.id, guess.codeId));
      const { newSession } = ctx.context;
      const isHalf =
        ctx.path === "/sign-in/email" && newSession && Reflect.get(newSession.user, "twoFactorEnabled") === true;
      if (newSession && !isHalf) await know(ctx, newSession.user.id);
    },
  };

  async function take(ctx: HookContext, guess: Guess): Promise<void> {
    const { isAllowed, retryAfterSeconds, isAlarm } = await guesses.take(guess.key);
    if (isAlarm && guess.userId) await warnOwner(guess.userId, guess.kind);
    if (!isAllowed)
      throw new APIError(
        "TOO_MANY_REQUESTS",
        { code: "TOO_MANY_ATTEMPTS", message: "Too many attempts. Please wait, or set a new password by email." },
        { "retry-after": String(retryAfterSeconds) },
      );
    // RFC 6238, 5.2: a code must not be accepted twice. The row's key makes this hold for two requests at once.
    if (guess.codeId) {
      const expiresAt = new Date(systemClock.now().getTime() + codeLifeMs);
      const used = await db
        .insert(idpVerification)
        .values({ id: guess.codeId, identifier: guess.codeId, value: "used", expiresAt })
        .onConflictDoNothing()
        .returning({ id: idpVerification.id });
      if (used.length === 0) throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "Invalid code" });
    }
    if (ctx.request) taken.set(ctx.request, guess);
  }

  async function guessOf(ctx: HookContext, session: { userId: string } | undefined): Promise<Guess | undefined> {
    if (ctx.path === "/sign-in/email") {
      const email = String(ctx.body?.email ?? "").toLowerCase();
      const [user] = await db.select({ id: idpUser.id }).from(idpUser).where(eq(idpUser.email, email));
      // Counted alike whether or not there is such an account.
      const key = await keyOf(ctx, { userId: user?.id, everybody: `password:${email}` });
      return { key, userId: user?.id, kind: "password", codeId: undefined };
    }
    if (session && passwordAgain.has(ctx.path))
      return { key: `session:${session.userId}`, userId: session.userId, kind: "password", codeId: undefined };
    if (!codeCalls.has(ctx.path)) return undefined;
    const userId = session?.userId ?? (await halfSignedIn(ctx));
    if (!userId) return undefined; // better-auth refuses it
    const isApp = ctx.path === "/two-factor/verify-totp";
    return {
      key: await keyOf(ctx, { userId, everybody: `code:${userId}` }),
      userId,
      kind: "code",
      codeId: isApp ? `code:${hashOf(`${userId} ${String(ctx.body?.code ?? "")}`)}` : undefined,
    };
  }

  /** The guesses of the browser if the account knows it, and otherwise those of all others together. */
  async function keyOf(ctx: HookContext, { userId, everybody }: { userId: string | undefined; everybody: string }) {
    const known = await ctx.getSignedCookie(cookieOf(ctx).name, ctx.context.secret);
    return known && userId !== undefined && isOf(known, userId) ? `${everybody} in ${known}` : everybody;
  }

  /** The user whose password was right, and whose code is awaited. */
  async function halfSignedIn(ctx: HookContext): Promise<string | undefined> {
    const pending = await ctx.getSignedCookie(ctx.context.createAuthCookie("two_factor").name, ctx.context.secret);
    return pending ? findPending(pending) : undefined;
  }

  async function findPending(identifier: string): Promise<string | undefined> {
    const [row] = await db
      .select({ value: idpVerification.value })
      .from(idpVerification)
      .where(and(eq(idpVerification.identifier, identifier), gt(idpVerification.expiresAt, systemClock.now())));
    return row?.value;
  }

  async function know(ctx: HookContext, userId: string): Promise<void> {
    const { name, attributes } = cookieOf(ctx);
    const known = await ctx.getSignedCookie(name, ctx.context.secret);
    const value = known && isOf(known, userId) ? known : `${userId}.${crypto.randomUUID()}`;
    await ctx.setSignedCookie(name, value, ctx.context.secret, attributes);
  }

  async function warnOwner(userId: string, kind: Guess["kind"]): Promise<void> {
    const [user] = await db.select().from(idpUser).where(eq(idpUser.id, userId));
    if (user) await mails.sendSecurityChanged(user, kind === "password" ? "passwords-guessed" : "codes-guessed");
  }

  function hashOf(text: string): string {
    return createHmac("sha256", `used code ${secret}`).update(text).digest("base64url");
  }
}

const isOf = (known: string, userId: string): boolean => known.startsWith(`${userId}.`);
const cookieOf = (ctx: HookContext) => ctx.context.createAuthCookie(knownBrowser.name, { maxAge: knownBrowser.maxAge });
