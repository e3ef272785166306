import type { Config } from "../config.ts";
import type { UnverifiedAccounts } from "../features/credits/allowance.ts";
import type { MailWay } from "./mail.ts";

type Settings = Pick<Config, "EMAIL_VERIFICATION" | "HOST" | "origin" | "TINTYPE_TRUSTED_PROXIES">;

/**
 * Whether new accounts verify their address: `auto` does where mails leave by SMTP.
 * @throws Error where it is on and no mail can be read anywhere
 */
export function verifiesAddresses({ EMAIL_VERIFICATION }: Pick<Config, "EMAIL_VERIFICATION">, way: MailWay): boolean {
  if (EMAIL_VERIFICATION === "on" && way === "none")
    throw new Error("EMAIL_VERIFICATION=on wants SMTP_URL and MAIL_FROM, or MAIL=log: the link comes by mail.");
  return EMAIL_VERIFICATION === "on" || (EMAIL_VERIFICATION === "auto" && way === "smtp");
}

/** What an account may use whose address is not verified. On a machine that nobody else reaches it is not limited. */
export function countUnverified(settings: Settings, isVerifying: boolean): UnverifiedAccounts {
  if (isVerifying) return "as-guest";
  // A proxy on the same machine brings the world to loopback: then the address that people use is another one.
  const isPrivate = isLoopback(settings.HOST) && isLoopback(new URL(settings.origin).hostname);
  return isPrivate && settings.TINTYPE_TRUSTED_PROXIES === undefined ? "freely" : "by-network";
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
