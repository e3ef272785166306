import { nearestName } from "@tintype/contract";

// Checks of a production start that would look healthy but lose money, mails or data.

type Environment = Record<string, string | undefined>;

/** Our names that are not settings of the server, but of the command and of its tests. */
const ofTools = /^TINTYPE_(CACHE|CONCURRENCY|DEBUG|HOME|KEY|MCP_TOKEN|OUT|SERVER|SUFFIX|TEST_.*)$/;
/** Set by Kubernetes and Docker for a service named `tintype` or `redis`. */
const ofServices = /_(SERVICE_(HOST|PORT)(_.*)?|PORT(_\d+_(TCP|UDP)(_.*)?)?)$/;
const ourPrefix = /^(TINTYPE|RAZORPAY|OIDC|FIREBASE)_/;

/** Shorter names are too close to unrelated ones, such as HOST to HOME. */
const minTypoLength = 7;
const maxEdits = 2;

/**
 * A line for each unknown setting that resembles one of ours, with the one that was probably meant.
 * @param known every name that the server reads
 */
export function unknownSettings(environment: Environment, known: readonly string[]): string[] {
  const names = Object.keys(environment).filter(
    (name) => environment[name] && !known.includes(name) && !ofTools.test(name) && !ofServices.test(name),
  );
  return names.flatMap((name) => {
    const isShort = (one: string) => one.length < minTypoLength;
    const meant = nearestName(name, known, maxEdits);
    if (meant !== undefined && !isShort(name) && !isShort(meant))
      return [`${name}: there is no such setting. Is ${meant} meant?`];
    return ourPrefix.test(name) ? [`${name}: there is no such setting (docs/configuration.md lists them).`] : [];
  });
}

/** A line for each setting that a production server needs and lacks. A worker serves no callers, and reaches the rest through Redis. */
export function missingSettings(environment: Environment): string[] {
  const has = (name: string) => Boolean(environment[name]);
  if (environment["TINTYPE_ROLE"] === "worker") return [];
  return [
    has("TINTYPE_ORIGIN") ? "" : "TINTYPE_ORIGIN: the public URL, such as https://pictures.example.com",
    has("DATABASE_URL")
      ? ""
      : "DATABASE_URL: postgres://..., or `embedded` for the database in the data folder, which can lose the last moments in a power failure",
    has("TINTYPE_TRUSTED_PROXIES")
      ? ""
      : "TINTYPE_TRUSTED_PROXIES: addresses of the reverse proxy, or `none` without one; behind a proxy that is not listed, all guests share the credits of one network",
    has("MAIL") || (has("SMTP_URL") && has("MAIL_FROM"))
      ? ""
      : "SMTP_URL and MAIL_FROM: a mail server and the sender, or MAIL=log to write every mail with its links to the log",
    has("PAYMENTS") || has("RAZORPAY_KEY_ID")
      ? ""
      : "RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET, or PAYMENTS=sandbox, which gives plans away for test cards",
  ].filter(Boolean);
}
