import type { Config } from "../config.ts";
import type { UnverifiedAccounts } from "../features/credits/allowance.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import { readMailWay } from "./mail.ts";

/**
 * Whether new accounts verify their address: `auto` does where mails leave by SMTP.
 * @throws Error where it is on and no mail can be read anywhere
 */
export function verifiesAddresses(config: Config): boolean {
  const { EMAIL_VERIFICATION } = config;
  const { kind } = readMailWay(config);
  if (EMAIL_VERIFICATION === "on" && kind === "none")
    throw new Error("EMAIL_VERIFICATION=on wants SMTP_URL and MAIL_FROM, or MAIL=log: the link comes by mail.");
  return EMAIL_VERIFICATION === "on" || (EMAIL_VERIFICATION === "auto" && kind === "smtp");
}

/** The allowance of an account whose address is not verified. A machine that only its own user reaches sets no limit. */
export function countUnverified(config: Config): UnverifiedAccounts {
  if (verifiesAddresses(config)) return "as-guest";
  // A proxy on the same machine brings the world to loopback: then the address that people use is another one.
  const isPrivate = isLoopbackHost(config.HOST) && isLoopbackHost(new URL(config.origin).hostname);
  return isPrivate && config.TINTYPE_TRUSTED_PROXIES === undefined ? "freely" : "by-network";
}
