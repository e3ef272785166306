import { APIError } from "better-auth/api";
import { type Clock, dayMs } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { countMails, type MailOutbox } from "../../platform/mail-outbox.ts";
import {
  passwordChangedMail,
  type Reader,
  resetMail,
  type SecurityChange,
  securityMail,
  verificationMail,
} from "./account-mails.ts";
import { outboxOwnerOf } from "./built-in-issuer.ts";

/** The fields of better-auth's user that a mail needs. */
export type ProviderUser = Reader & { id: string };

/** The mails of the built-in provider. */
export type ProviderMails = {
  sendReset(user: ProviderUser, url: string): Promise<void>;
  /** @throws APIError TOO_MANY_MAILS */
  sendVerification(user: ProviderUser, token: string): Promise<void>;
  sendPasswordChanged(user: ProviderUser): Promise<void>;
  sendSecurityChanged(user: ProviderUser, change: SecurityChange): Promise<void>;
};

const minuteMs = 60_000;
/** Per kind and address. */
const mailsPerDay = 5;

/** The page that a verification link leads to once followed. */
const verifiedPath = "/account?verified=1";

/**
 * Mails go through the outbox, so that a slow or unavailable mail server does not delay responses and reveal whether an
 * account exists. Per address and kind, one mail a minute and five a day, across all callers.
 */
export function createProviderMails(dependencies: {
  db: Database;
  clock: Clock;
  outbox: MailOutbox;
  origin: string;
}): ProviderMails {
  const { db, clock, outbox, origin } = dependencies;
  const sent = async ({ id }: ProviderUser, kind: string, withinMs: number) => {
    const since = new Date(clock.now().getTime() - withinMs);
    return countMails(db, { accountId: outboxOwnerOf(id), keyPrefix: `${kind}:`, since });
  };
  const post = (user: ProviderUser, kind: string, message: Parameters<MailOutbox["post"]>[0]["message"]) => {
    // Two requests in the same minute share a key, so the mail is sent once.
    const minute = Math.floor(clock.now().getTime() / minuteMs);
    return outbox.post({ key: `${kind}:${user.id}:${minute}`, accountId: outboxOwnerOf(user.id), message });
  };
  return {
    async sendReset(user, url) {
      if ((await sent(user, "reset", dayMs)) < mailsPerDay) await post(user, "reset", resetMail(user, { url }));
    },
    async sendVerification(user, token) {
      const isEarly = (await sent(user, "verify", minuteMs)) > 0;
      if (isEarly || (await sent(user, "verify", dayMs)) >= mailsPerDay)
        throw new APIError("TOO_MANY_REQUESTS", {
          code: "TOO_MANY_MAILS",
          message: "An email is on its way. You can ask for another in a minute, up to five a day.",
        });
      const url = new URL("/idp/verify-email", origin);
      url.search = String(new URLSearchParams({ token, callbackURL: verifiedPath }));
      await post(user, "verify", verificationMail(user, { url: url.href }));
    },
    sendPasswordChanged: (user) => post(user, "password-changed", passwordChangedMail(user, { origin })),
    sendSecurityChanged: (user, change) => post(user, change, securityMail(user, { origin, change })),
  };
}
