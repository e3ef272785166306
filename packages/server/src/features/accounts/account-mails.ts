import { productName } from "@tintype/contract";
import type { Message } from "../../platform/mail.ts";
import { layMail, type MailParts } from "../../platform/mail-layout.ts";
import { cleanName } from "./person-name.ts";

/** Somebody who is written to. */
export type Reader = { email: string; emailVerified: boolean; name: string };

/** A mail to a person. Their name stands in it only where the address is known to be theirs. */
export function writeMail(to: Reader, subject: string, parts: Omit<MailParts, "name" | "title">): Message {
  const name = to.emailVerified ? cleanName(to.name) || undefined : undefined;
  return { to: to.email, subject, ...layMail({ ...parts, title: subject, name }) };
}

export const verificationMail = (to: Reader, { url }: { url: string }): Message =>
  writeMail(to, `Verify your address for ${productName}`, {
    paragraphs: [
      "Somebody, probably you, made an account with this address. Follow the link within a day, and the account has all credits of its plan.",
      "If it was not you, do not follow the link: without it the account stays unverified.",
    ],
    link: { label: "Verify this address", url },
  });

export const welcomeMail = (to: Reader, { origin }: { origin: string }): Message =>
  writeMail(to, `Your ${productName} account is ready`, {
    paragraphs: [
      `Your account is made, and its credits are there. ${productName} compresses, resizes, upscales and converts pictures, and removes their backgrounds.`,
      "If you did not make it, somebody typed your address by mistake. Set a new password, then delete the account.",
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });

export const resetMail = (to: Reader, { url }: { url: string }): Message =>
  writeMail(to, `Set a new ${productName} password`, {
    paragraphs: [
      "Follow the link within an hour to set a new password.",
      "If you did not ask for it, you need do nothing: your password stays as it is.",
    ],
    link: { label: "Set a new password", url },
  });

export const passwordChangedMail = (to: Reader, { origin }: { origin: string }): Message =>
  writeMail(to, `Your ${productName} password was changed`, {
    paragraphs: [
      "The password of your account was changed just now, and every other browser was signed out.",
      'If it was not you, set a new password with "Forgot your password?" in the login dialog at once.',
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });

export const newKeyMail = (
  to: Reader,
  { origin, label, lastFour }: { origin: string; label: string; lastFour: string },
): Message =>
  writeMail(to, `A new ${productName} API key`, {
    paragraphs: [
      "A new API key was made in your account. It can spend your credits.",
      "If it was not you, revoke it in your account and change your password.",
    ],
    facts: [
      // The name is the person's own text: it stands in a mail only if the address is known to be theirs.
      ...(to.emailVerified ? ([["Name", cleanName(label)]] as const) : []),
      ["Ends with", lastFour],
    ],
    link: { label: "Your API keys", url: `${origin}/account/keys` },
  });

export const deletedMail = (to: Reader): Message =>
  writeMail(to, `Your ${productName} account is deleted`, {
    paragraphs: [
      "As you asked, your account is deleted, with everything that names you. A running subscription was cancelled and will not be charged again.",
      "What bookkeeping law wants us to keep of payments is kept without your name.",
    ],
  });
