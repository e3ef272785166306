import type { Config } from "../config.ts";
import type { CountingRules } from "../features/credits/allowance.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import { readMailTransport } from "./mail.ts";

/**
 * Whether new accounts verify their address; with `auto`, if mails are sent by SMTP.
 * @throws Error if it is on and mails can be read nowhere
 */
export function verifiesAddresses(config: Config): boolean {
  const { EMAIL_VERIFICATION } = config;
  const { kind } = readMailTransport(config);
  if (EMAIL_VERIFICATION === "on" && kind === "none")
    throw new Error("EMAIL_VERIFICATION=on requires SMTP_URL and MAIL_FROM, or MAIL=log: the link is sent by mail.");
  return EMAIL_VERIFICATION === "on" || (EMAIL_VERIFICATION === "auto" && kind === "smtp");
}

/** How accounts are counted. A machine that only its own user can reach sets no limit per network. */
export function countingRules(config: Config): CountingRules {
  // A proxy on the same machine forwards public traffic to loopback, but then the public origin is not loopback.
  const isAlone = isLoopbackHost(config.HOST) && isLoopbackHost(new URL(config.origin).hostname);
  return {
    mustVerify: verifiesAddresses(config),
    perNetwork: !isAlone || config.TINTYPE_TRUSTED_PROXIES !== undefined,
    isUnlimited: config.TINTYPE_MODE === "private",
  };
}
