import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { DomainError } from "@tintype/contract";
import { Agent, buildConnector, request } from "undici";
import { type AddressRules, createAddressRules } from "./address-rules.ts";

export type OutboundOptions = {
  /** CIDR blocks of addresses inside that the operator allows; none by default. */
  allow: readonly string[];
  /** Resolves a name to its addresses; the system's resolver by default. */
  lookup?: (hostname: string) => Promise<readonly string[]>;
};

export type OutboundRequest = {
  method: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: Buffer | Readable;
  /** Redirects that a GET follows; others never send their body to a second address. */
  maxRedirects?: number;
  /** Of the whole: every hop, the answer's last byte included. */
  timeoutMs?: number;
  signal?: AbortSignal;
};
export type OutboundAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/**
 * Requests to addresses that callers name. The check runs when a socket is opened, on the literal or on the one resolved
 * address that the socket then uses: a second answer of the resolver never counts, and each redirect is checked again.
 */
export type Outbound = {
  /**
   * @throws url-refused for whatever is wrong with the address or the server behind it. One sentence for all causes: the
   *   answer must not tell whether something listens inside. The cause is for the log.
   */
  send(url: string, request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
};

const wholeTimeoutMs = 10_000;
const redirects = new Set([301, 302, 303, 307, 308]);

/** @throws Error naming a block of `allow` that is none */
export function createOutbound({ allow, lookup = resolve }: OutboundOptions): Outbound {
  const rules = createAddressRules(allow);
  const agent = new Agent({
    connect: guardedConnector({ rules, lookup }),
    // The signal of each request ends it, headers and body alike.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    // A socket that is kept open would serve a later address under an earlier check.
    pipelining: 0,
  });
  return {
    async send(first, { method, headers = {}, body, maxRedirects = 0, timeoutMs = wholeTimeoutMs, signal }) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        let url = checkUrl(first, rules);
        for (let hop = 0; ; hop++) {
          const answer = await request(url, {
            dispatcher: agent,
            method,
            headers: { "user-agent": "Tintype", "accept-encoding": "identity", ...headers },
            body: body ?? null,
            signal: AbortSignal.any([limit, ...(signal ? [signal] : [])]),
          });
          const location = redirects.has(answer.statusCode) ? answer.headers["location"] : undefined;
          if (method !== "GET" || typeof location !== "string" || maxRedirects === 0)
            return { status: answer.statusCode, headers: answer.headers, body: answer.body };
          answer.body.on("error", () => {}).destroy();
          if (hop >= maxRedirects) throw new Error(`more than ${maxRedirects} redirects`);
          url = checkUrl(new URL(location, url).href, rules);
        }
      } catch (cause) {
        if (signal?.aborted) throw new DomainError("cancelled", { cause });
        throw new DomainError("url-refused", { cause });
      }
    },
    close: () => agent.close(),
  };
}

/** What the text alone tells; `guardedConnector` checks the rest. @throws Error that says what is wrong, for the log */
function checkUrl(text: string, rules: AddressRules): URL {
  // WHATWG parsing turns 2130706433, 0177.0.0.1 and 127.1 into 127.0.0.1 here.
  const url = new URL(text);
  if (url.username || url.password) throw new Error("the address carries a user name or a password");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error(`${url.protocol} is no protocol we use`);
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
  const connect = buildConnector({ timeout: wholeTimeoutMs, allowH2: false, maxCachedSessions: 0 });
  return (options, callback) => {
    const open = async () => {
      const hostname = options.hostname.replace(/^\[|\]$/g, "");
      const addresses = isIP(hostname) === 0 ? await lookup(hostname) : [hostname];
      const [address] = addresses;
      // One address inside among several is an attack, or a network that we know too little of.
      if (address === undefined || !addresses.every((one) => rules.isAllowed(one)))
        throw new Error("the address is not a public one");
      const isNamed = addresses.every((one) => rules.isNamed(one));
      if (options.protocol !== "https:" && !isNamed) throw new Error("only https is used for public addresses");
      const port = options.port || (options.protocol === "https:" ? "443" : "80");
      if (!isNamed && port !== "443" && port !== "80") throw new Error(`port ${port} is not used for public addresses`);
      connect({ ...options, hostname: address, servername: isIP(hostname) === 0 ? hostname : "" }, callback);
    };
    open().catch((problem: unknown) => callback(problem instanceof Error ? problem : new Error(String(problem)), null));
  };
}

const resolve = async (hostname: string) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
