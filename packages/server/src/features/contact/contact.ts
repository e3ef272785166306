import { type ContactForm, DomainError, looksLikeEmail, text } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { inArray, isNull } from "drizzle-orm";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { type MailOutbox, putMail } from "../../platform/mail-outbox.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import { contactMessages } from "./tables.ts";

/** Per address: more than a person sends, and far less than a bot. */
const rule = { limit: 5, windowMs: 3_600_000 };

type ContactDependencies = {
  db: Database;
  clock: Clock;
  outbox: Pick<MailOutbox, "sendDue">;
  rateLimits: RateLimits;
  /** The address that receives the messages. Without it they are only stored. */
  contactEmail: string | undefined;
  /** A keyed hash of the sender's network. */
  networkOf(address: string): string;
};

export type Contact = {
  /** Mails stored messages that have not been sent, through the outbox, which retries. */
  sendWaiting(): Promise<void>;
};

/** `POST /contact`: validated, stored, then mailed. Storing first means that no message is lost while the mail server is down. */
export function mountContact(
  mount: Mount,
  { db, clock, outbox, contactEmail, ...dependencies }: ContactDependencies,
): Contact {
  mount(endpoints.contact, async ({ body, request }) => {
    const { name, email, message, website } = checkForm(body);
    // A bot that fills in the hidden field gets a success response, and nothing is sent.
    if (website) return { detail: text.messageSent };
    const { isAllowed, retryAfterSeconds } = await dependencies.rateLimits.take(
      `contact:${dependencies.networkOf(request.ip)}`,
      rule,
    );
    if (!isAllowed)
      throw new DomainError("too-many-requests", {
        detail: "You have sent several messages already. Please try again later.",
        retryAfterSeconds,
      });
    await db.insert(contactMessages).values({ id: newId("msg"), name, email, message, at: clock.now() });
    return { detail: text.messageSent };
  });

  return {
    async sendWaiting() {
      if (!contactEmail) return;
      // Claimed and put in the outbox in one transaction, so that only one process mails it, once.
      const taken = await db.transaction(async (tx) => {
        const now = clock.now();
        const waiting = tx
          .select({ id: contactMessages.id })
          .from(contactMessages)
          .where(isNull(contactMessages.sentAt))
          .orderBy(contactMessages.at)
          .limit(20)
          .for("update", { skipLocked: true });
        const claimed = await tx
          .update(contactMessages)
          .set({ sentAt: now })
          .where(inArray(contactMessages.id, waiting))
          .returning();
        for (const row of claimed)
          await putMail(tx, { key: mailKey(row.id), accountId: null, message: mailOf(row, contactEmail) }, now);
        return claimed.length;
      });
      if (taken > 0) await outbox.sendDue();
    },
  };
}

type ContactMessage = Pick<typeof contactMessages.$inferSelect, "name" | "email" | "message">;

const mailOf = ({ name, email, message }: ContactMessage, to: string) => ({
  to,
  replyTo: email,
  subject: `Message from ${oneLine(name)}`,
  text: `${name} <${email}> writes:\n\n${message}\n`,
});

/** The key of a message's mail in the outbox. */
export const mailKey = (messageId: string) => `contact ${messageId}`;

/** Header injection: a line break ends a header, so a name with one could add headers. */
const oneLine = (value: string) => value.replace(/[\r\n\u0085\u2028\u2029]+/g, " ").slice(0, 100);

/** @throws invalid-request with the texts of docs/product.md */
function checkForm({ name, email, message, website }: ContactForm): ContactForm {
  const [cleanName, cleanEmail, cleanMessage] = [name, email, message].map((value) => value.trim()) as [
    string,
    string,
    string,
  ]; // three in, three out
  const blank = Object.entries({ name: cleanName, email: cleanEmail, message: cleanMessage }).find(
    ([, value]) => !value,
  );
  if (blank) throw new DomainError("invalid-request", { field: blank[0], detail: text.allFieldsRequired });
  if (!looksLikeEmail(cleanEmail))
    throw new DomainError("invalid-request", { field: "email", detail: text.invalidEmail });
  return { name: oneLine(cleanName), email: cleanEmail, message: cleanMessage, ...(website ? { website } : {}) };
}
