import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { findByToken } from "./invitations.ts";

const plainCookie = "tintype_invitation";
/** As for guests: over https no other host of the site can set it. */
const cookieOf = (secure: boolean): string => (secure ? `__Host-${plainCookie}` : plainCookie);
const lifeSeconds = 86_400;

/** Where an invited person creates an account. */
const joinPage = "/account/join";

/** The invitation's token in a request's cookies. */
export const invitationTokenOf = ({ cookies }: Pick<FastifyRequest, "cookies">, secure: boolean): string | undefined =>
  cookies[cookieOf(secure)];

/** The same of a `Cookie` header. The token has no character that would be escaped. */
export const invitationTokenIn = (header: string | null | undefined, secure: boolean): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieOf(secure)}=([\\w-]+)`).exec(header ?? "")?.[1];

/**
 * `GET /join/{token}`, the link of an invitation. It accepts nothing, since programs that read mail follow links: it leaves the
 * token in a cookie, which a new account is created with, in whichever way the person signs up.
 */
export function mountJoin(
  app: FastifyInstance,
  { db, clock, secure }: { db: Database; clock: Clock; secure: boolean },
): void {
  app.get<{ Params: { token: string } }>("/join/:token", async ({ params: { token } }, reply) => {
    reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const isOpen = /^[\w-]{1,100}$/.test(token) && (await findByToken(db, { token, now: clock.now() }));
    if (!isOpen) return reply.redirect(`${joinPage}?ended`, 302);
    reply.setCookie(cookieOf(secure), token, {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      maxAge: lifeSeconds,
      secure,
    });
    return reply.redirect(joinPage, 302);
  });
}
