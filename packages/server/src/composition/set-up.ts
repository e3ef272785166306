import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { hasAccounts } from "../features/accounts/accounts.ts";
import { invitationLink, makeInvitation, revokeSetUp, setUp } from "../features/accounts/invitations.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { isLoopback, isLoopbackHost } from "../platform/loopback.ts";

/** The next start logs another link. */
const linkDays = 90;

/**
 * Invites the first person of a fresh private installation, who becomes its owner: by the link in the log, and on a machine that
 * only its own user can reach also by the first visit of the home page.
 */
export async function offerSetUp(
  app: FastifyInstance,
  { db, clock, config, log }: { db: Database; clock: Clock; config: Config; log: FastifyBaseLogger },
): Promise<void> {
  if (config.TINTYPE_MODE === "service" || (await hasAccounts(db))) return;
  if (config.DATABASE_URL) {
    // Its log may have other readers.
    log.info({}, "nobody has an account yet: invite the owner with `npm run admin -- invite --role owner`");
    return;
  }
  const now = clock.now();
  await revokeSetUp(db, now);
  const { token } = await makeInvitation(db, { role: "owner", days: linkDays, createdBy: setUp }, now);
  const link = invitationLink(config.origin, token);
  log.info({ link }, "nobody has an account yet: open this link to become the owner");
  const isAlone =
    isLoopbackHost(config.HOST) &&
    isLoopbackHost(new URL(config.origin).hostname) &&
    config.TINTYPE_TRUSTED_PROXIES === undefined;
  if (!isAlone) return;
  let isFresh = true;
  app.addHook("onRequest", async (request, reply) => {
    if (!isFresh || request.method !== "GET" || request.url !== "/" || !isLoopback(request.ip)) return;
    isFresh = !(await hasAccounts(db));
    if (isFresh) await reply.redirect(`/join/${token}`, 302);
  });
}
