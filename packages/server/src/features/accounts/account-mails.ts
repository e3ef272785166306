import { isPrivate, limits } from "@tintype/contract";
import { nameSlot } from "../../platform/brand/brand-mail.ts";
import type { Message } from "../../platform/mail.ts";
import { type MailParts, renderMail } from "../../platform/mail-layout.ts";
import { cleanName } from "./person-name.ts";

/** A recipient of mail. */
export type Reader = { email: string; emailVerified: boolean; name: string };

/** A mail to a person. It contains their name only if the address is verified as theirs. */
export function writeMail(to: Reader, subject: string, parts: Omit<MailParts, "name" | "title">): Message {
  const name = to.emailVerified ? cleanName(to.name) || undefined : undefined;
  return { to: to.email, subject, ...renderMail({ ...parts, title: subject, name }) };
}

export const verificationMail = (to: Reader, { url }: { url: string }): Message =>
  writeMail(to, `Verify your email for ${nameSlot}`, {
    paragraphs: [
      `Someone, probably you, created an account with this email. Follow the link within a day ${isPrivate() ? "to verify it" : "to get all your credits"}.`,
      "If it was not you, ignore this email: without the link, the account stays unverified.",
    ],
    link: { label: "Verify email", url },
  });

export const invitationMail = (email: string, { url, days }: { url: string; days: number }): Message =>
  writeMail({ email, emailVerified: false, name: "" }, `You are invited to ${nameSlot}`, {
    paragraphs: [
      `Follow the link within ${days === 1 ? "a day" : `${days} days`} to create your account with this email.`,
      "If you did not expect this, you can ignore this email.",
    ],
    link: { label: "Create an account", url },
  });

export const welcomeMail = (to: Reader, { origin }: { origin: string }): Message =>
  writeMail(to, `Your ${nameSlot} account is ready`, {
    paragraphs: [
      `Your account is ready${isPrivate() ? "" : `, with ${limits.hobby.credits} credits`}. ${nameSlot} compresses, resizes, upscales and converts images, and removes their backgrounds.`,
      "If you did not create it, someone entered your email by mistake. Set a new password, then delete the account.",
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });

export const resetMail = (to: Reader, { url }: { url: string }): Message =>
  writeMail(to, `Set a new ${nameSlot} password`, {
    paragraphs: [
      "Follow the link within an hour to set a new password.",
      "If you did not ask for this, you can ignore this email. Your password will not change.",
    ],
    link: { label: "Set a new password", url },
  });

export const passwordChangedMail = (to: Reader, { origin }: { origin: string }): Message =>
  writeMail(to, `Your ${nameSlot} password was changed`, {
    paragraphs: [
      "The password of your account has just been changed, and all other browsers were signed out.",
      'If this was not you, set a new password immediately: choose "Forgot your password?" where you log in.',
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });

export type SecurityChange =
  | "passkey-added"
  | "passkey-removed"
  | "google-linked"
  | "app-added"
  | "app-removed"
  | "recovery-codes-renewed"
  | "passwords-guessed"
  | "codes-guessed";

const securityChanges: Record<SecurityChange, { subject: string; sentence: string }> = {
  "passkey-added": {
    subject: `A passkey was added to your ${nameSlot} account`,
    sentence: "A passkey has just been added to your account. It can sign in without your password.",
  },
  "passkey-removed": {
    subject: `A passkey was removed from your ${nameSlot} account`,
    sentence: "A passkey has just been removed from your account. It can no longer sign in.",
  },
  "google-linked": {
    subject: `Google was linked to your ${nameSlot} account`,
    sentence: "“Sign in with Google” now signs in to your account too.",
  },
  "recovery-codes-renewed": {
    subject: `New recovery codes for your ${nameSlot} account`,
    sentence: "Your account has new recovery codes. The previous ones no longer work.",
  },
  "app-added": {
    subject: `Two-step sign-in is on for your ${nameSlot} account`,
    sentence:
      "An authenticator app has just been added to your account. Signing in now takes your password and a code.",
  },
  "app-removed": {
    subject: `Two-step sign-in is off for your ${nameSlot} account`,
    sentence:
      "The authenticator app has just been removed from your account. You now sign in with your password alone.",
  },
  "passwords-guessed": {
    subject: `Wrong passwords for your ${nameSlot} account`,
    sentence:
      "Somebody has tried many wrong passwords for your account. None of them worked. We now let them try only a few a day. Browsers in which you have logged in before are not affected.",
  },
  "codes-guessed": {
    subject: `Wrong codes for your ${nameSlot} account`,
    sentence:
      "Somebody who knows your password has tried many wrong codes. None of them worked. We now let them try only a few a day.",
  },
};

/** Security notice to an account's owner after a change to how it signs in, in case a stranger made the change. */
export const securityMail = (to: Reader, { origin, change }: { origin: string; change: SecurityChange }): Message =>
  writeMail(to, securityChanges[change].subject, {
    paragraphs: [
      securityChanges[change].sentence,
      "If this was not you, change your password immediately and check your passkeys and sessions on the page below.",
    ],
    link: { label: "Sign-in and security", url: `${origin}/account/security` },
  });

export const newKeyMail = (
  to: Reader,
  { origin, label, lastFour }: { origin: string; label: string; lastFour: string },
): Message =>
  writeMail(to, `A new ${nameSlot} API key`, {
    paragraphs: [
      "A new API key was created in your account. It can spend your credits.",
      "If this was not you, revoke it in your account and change your password.",
    ],
    facts: [
      // People choose their own names: a mail contains one only if the address is verified as theirs.
      ...(to.emailVerified ? ([["Name", cleanName(label)]] as const) : []),
      ["Ends with", lastFour],
    ],
    link: { label: "Your API keys", url: `${origin}/account/keys` },
  });

export const revokedKeyMail = (
  to: Reader,
  { origin, label, lastFour }: { origin: string; label: string; lastFour: string },
): Message =>
  writeMail(to, `A ${nameSlot} API key was revoked`, {
    paragraphs: [
      "An API key of your account was revoked. Whatever uses it has stopped working.",
      "If this was not you, change your password and create a new key.",
    ],
    facts: [...(to.emailVerified ? ([["Name", cleanName(label)]] as const) : []), ["Ended with", lastFour]],
    link: { label: "Your API keys", url: `${origin}/account/keys` },
  });

export const webhookSecretMail = (to: Reader, { origin }: { origin: string }): Message =>
  writeMail(to, `A new ${nameSlot} webhook secret`, {
    paragraphs: [
      "A signing secret of your webhooks was replaced. For the overlap, deliveries are signed with both secrets.",
      "If this was not you, change your password and replace the secret again.",
    ],
    link: { label: "Your webhooks", url: `${origin}/account/webhooks` },
  });

export const deletedMail = (to: Reader): Message =>
  writeMail(to, `Your ${nameSlot} account has been deleted`, {
    paragraphs: [
      "As you asked, we have deleted your account and your personal data. If you had a subscription, it was cancelled and will not be charged again.",
      "Payment records that the law requires us to keep are kept without your name, except on invoices made out to your billing details.",
    ],
  });
