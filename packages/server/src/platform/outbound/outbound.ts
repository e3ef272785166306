import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { DomainError, type Reason, reasonText } from "@tintype/contract";
import { Agent, buildConnector, errors, request } from "undici";
import { withTimeout } from "../with-timeout.ts";
import { type AddressRules, createAddressRules } from "./address-rules.ts";

export type OutboundOptions = {
  /** CIDR blocks of internal addresses that the operator allows; none by default. */
  allow: readonly string[];
  /** Resolves a name to its addresses. Default: the system's resolver. */
  lookup?: (hostname: string) => Promise<readonly string[]>;
};

export type OutboundRequest = {
  method: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: Buffer | Readable;
  /** Redirects that a GET follows. Other methods never send their body to a second address. */
  maxRedirects?: number;
  /** For the whole request: every hop, including the response's last byte. */
  timeoutMs?: number;
  signal?: AbortSignal;
};
export type OutboundResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
};

/**
 * Requests to addresses from callers. The check runs when a socket is opened, on the literal or resolved address that the
 * socket then uses. This prevents DNS rebinding, and each redirect is checked again.
 */
export type Outbound = {
  /**
   * @throws url-refused with a message about the text of the address, or about what a reachable server did. Whatever
   * depends on the internal network (names that resolve there or do not resolve, closed ports) gets one common message.
   * The cause is only logged.
   * @throws url-unavailable when a reachable server did not respond in time
   */
  send(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
};

const totalTimeoutMs = 10_000;
/** Shorter than the whole: an unanswered DNS query, which may reveal an internal name, must not look like a server's timeout. */
const lookupTimeoutMs = 4_000;

/** A fault whose message reveals nothing about a network: it is in the address's text, or a public server's own. */
class PublicFault extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reasonText(reason));
    this.reason = reason;
  }
}
const redirects = new Set([301, 302, 303, 307, 308]);

/** @throws Error naming an invalid block of `allow` */
export function createOutbound({ allow, lookup = resolve }: OutboundOptions): Outbound {
  const rules = createAddressRules(allow);
  const agent = new Agent({
    connect: guardedConnector({ rules, lookup }),
    // Each request's signal bounds it, headers and body alike.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    // A kept-alive socket would serve a later address under an earlier check.
    pipelining: 0,
  });
  return {
    async send(first, { method, headers = {}, body, maxRedirects = 0, timeoutMs = totalTimeoutMs, signal }) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        let url = checkUrl(first, rules);
        for (let hop = 0; ; hop++) {
          const response = await request(url, {
            dispatcher: agent,
            method,
            headers: { "user-agent": "Tintype", "accept-encoding": "identity", ...headers },
            body: body ?? null,
            signal: AbortSignal.any([limit, ...(signal ? [signal] : [])]),
          });
          const location = redirects.has(response.statusCode) ? response.headers["location"] : undefined;
          if (method !== "GET" || typeof location !== "string" || maxRedirects === 0)
            return { status: response.statusCode, headers: response.headers, body: response.body };
          response.body.on("error", () => {}).destroy();
          if (hop >= maxRedirects) throw new PublicFault({ code: "url-redirects", limit: maxRedirects });
          url = checkUrl(new URL(location, url).href, rules);
        }
      } catch (cause) {
        if (signal?.aborted) throw new DomainError("cancelled", { cause });
        if (limit.aborted || cause instanceof errors.ConnectTimeoutError)
          throw new DomainError("url-unavailable", { cause });
        throw new DomainError("url-refused", {
          reason: cause instanceof PublicFault ? cause.reason : undefined,
          cause,
        });
      }
    },
    close: () => agent.close(),
  };
}

/** Checks only the text; `guardedConnector` checks the rest. @throws PublicFault; Error for an internal address */
function checkUrl(text: string, rules: AddressRules): URL {
  // WHATWG parsing turns 2130706433, 0177.0.0.1 and 127.1 into 127.0.0.1.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new PublicFault({ code: "url-invalid" });
  if (url.username || url.password) throw new PublicFault({ code: "url-with-password" });
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new PublicFault({ code: "url-scheme", scheme: url.protocol.slice(0, -1) });
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0 && !rules.isAllowed(url.hostname))
    throw new Error("the address is not a public one");
  return url;
}

function guardedConnector({
  rules,
  lookup,
}: {
  rules: AddressRules;
  lookup: NonNullable<OutboundOptions["lookup"]>;
}): buildConnector.connector {
  const connect = buildConnector({ timeout: totalTimeoutMs, allowH2: false, maxCachedSessions: 0 });
  return (options, callback) => {
    const open = async () => {
      const hostname = options.hostname.replace(/^\[|\]$/g, "");
      const addresses = isIP(hostname) === 0 ? await withTimeout(lookupTimeoutMs, lookup(hostname)) : [hostname];
      const [address] = addresses;
      // One internal address among several is an attack, or a network that we do not understand.
      if (address === undefined || !addresses.every((one) => rules.isAllowed(one)))
        throw new Error("the address is not a public one");
      const isNamed = addresses.every((one) => rules.isNamed(one));
      if (options.protocol !== "https:" && !isNamed) throw new PublicFault({ code: "url-scheme", scheme: "http" });
      const port = options.port || (options.protocol === "https:" ? "443" : "80");
      if (!isNamed && port !== "443" && port !== "80") throw new PublicFault({ code: "url-port", port: String(port) });
      connect({ ...options, hostname: address, servername: isIP(hostname) === 0 ? hostname : "" }, callback);
    };
    open().catch((problem: unknown) => callback(problem instanceof Error ? problem : new Error(String(problem)), null));
  };
}

const resolve = async (hostname: string) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
