import { isIP } from "node:net";
import { DomainError } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Refuses requests for foreign hosts, against DNS rebinding: a page of `evil.example` that resolves its name to this
 * machine is same-origin with us for a browser, and could read everything. Its requests still name its own host.
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  { origin, hosts }: { origin: string; hosts: readonly string[] },
) {
  const ownHosts = new Set([new URL(origin).hostname, ...hosts].map((host) => host.toLowerCase()));
  app.addHook("onRequest", async (request) => {
    if (/^\/(healthz|readyz)$/.test(request.url) || isOurHost(request.hostname, ownHosts)) return;
    throw new DomainError("invalid-request", {
      detail: "This server does not serve that host name.",
      cause: `TINTYPE_HOSTS does not name ${request.hostname}`,
    });
  });
}

/** Names that no one can register: RFC 6761, RFC 6762, RFC 8375, and ICANN's .internal. */
const privateName = /(^|[.])(localhost|local|internal|lan|home[.]arpa)$/;

/** A name without a dot, like `api-1`, belongs to a private network. An IP address is not a name. */
function isOurHost(hostname: string, ownHosts: ReadonlySet<string>): boolean {
  const host = hostname.toLowerCase().replace(/[.]$/, "");
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  return ownHosts.has(host) || !host.includes(".") || isIP(plain) !== 0 || privateName.test(host);
}

/**
 * Whether a page of another site made its visitor's browser send this (Fetch Metadata, §2.3), other than by following a
 * link. Non-browser clients do not send the header.
 */
export const isFromOtherSite = ({ headers, method }: FastifyRequest): boolean =>
  headers["sec-fetch-site"] === "cross-site" &&
  !(headers["sec-fetch-mode"] === "navigate" && (method === "GET" || method === "HEAD"));

/** Loopback and the private ranges of RFC 1918 and RFC 4193, where proxies are. */
const privateAddress = /^(::ffff:)?(127|10|192[.]168|172[.](1[6-9]|2\d|3[01]))[.]|^::1$|^f[cd]/i;

/**
 * Logs once that an untrusted proxy sends forwarding headers: all its callers then share one network's limits. Only for
 * private addresses, since strangers can send the header too.
 */
export function warnOfUntrustedProxies(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook("onRequest", async ({ headers, ip, raw, log }) => {
    if (hasWarned || (headers["x-forwarded-for"] === undefined && headers.forwarded === undefined)) return;
    const { remoteAddress = "" } = raw.socket;
    if (ip !== remoteAddress || !privateAddress.test(remoteAddress)) return;
    hasWarned = true;
    log.warn(
      { proxy: remoteAddress },
      "a proxy that TINTYPE_TRUSTED_PROXIES does not list sends X-Forwarded-For: all its callers share the credits and limits of one network",
    );
  });
}
