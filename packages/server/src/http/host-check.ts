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
    // Programs before us may have looked at another of them.
    if (hostHeaders(request) > 1)
      throw new DomainError("invalid-request", { field: "Host", detail: "Send the header Host once." });
    if (/^\/(healthz|readyz)$/.test(request.url)) return;
    const foreign = [request.hostname, ...hostOfTarget(request)].find((host) => !isOurHost(host, ownHosts));
    if (foreign === undefined) return;
    throw new DomainError("invalid-request", {
      detail: "This server does not serve that host name.",
      cause: `TINTYPE_HOSTS does not name ${foreign}`,
    });
  });
}

const hostHeaders = ({ raw: { rawHeaders } }: FastifyRequest): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length;

/** The host of a request target in absolute form, which takes precedence over the header (RFC 9112, §3.2.2). */
function hostOfTarget({ url }: FastifyRequest): string[] {
  if (url.startsWith("/") || url === "*") return [];
  // Not a URL: its host is not ours.
  return [URL.canParse(url) ? new URL(url).hostname : url];
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
 * Logs once that an untrusted proxy sends forwarding headers, or that a proxy sends none: all its callers then share one network's
 * limits. Only for private addresses, since strangers can send the header too.
 */
export function warnOfUntrustedProxies(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  const warned = { untrusted: false, silent: false };
  app.addHook("onRequest", async ({ headers, ip, raw, log }) => {
    const { remoteAddress = "" } = raw.socket;
    if (ip !== remoteAddress || !privateAddress.test(remoteAddress)) return;
    const forwarded = headers["x-forwarded-for"];
    if (forwarded === undefined && headers.forwarded === undefined) {
      // A browser says which page it comes from. With an https origin, something before us terminates TLS.
      if (warned.silent || !isHttps || headers["sec-fetch-mode"] === undefined) return;
      warned.silent = true;
      log.warn(
        { proxy: remoteAddress },
        "a proxy sends no X-Forwarded-For: all its callers share the credits and limits of one network. docs/operations.md has its configuration",
      );
      return;
    }
    // A trusted proxy's caller on the same machine has the proxy's own address.
    if (warned.untrusted || String(forwarded).split(",").at(-1)?.trim() === remoteAddress) return;
    warned.untrusted = true;
    log.warn(
      { proxy: remoteAddress },
      "a proxy that TINTYPE_TRUSTED_PROXIES does not list sends X-Forwarded-For: all its callers share the credits and limits of one network",
    );
  });
}
