import dns from "node:dns";
import process from "node:process";
import { TintypeError } from "./error.ts";
import { explainNetworkError } from "./network-error.ts";

type Lookup = (hostname: string) => Promise<readonly { address: string }[]>;

type CheckOptions = {
  signal?: AbortSignal;
  warn?: (sentence: string) => void;
  lookup?: Lookup;
};

/** A process warns once about each server, however many clients it creates. */
const warnedOf = new Set<string>();

/**
 * Allows plain http only to this computer and, with a warning, to private networks. A name must have private addresses
 * alone. Call it before each request, since a name may lead elsewhere later. Attack: on plain http, anyone on the network
 * path reads the key and the pictures.
 * @throws TintypeError `invalid-request` for a public address, `network` for a name without an address
 */
export async function requirePrivateNetwork(
  server: string,
  { signal, warn = warnOfProcess, lookup = lookUp }: CheckOptions = {},
): Promise<void> {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "http:" || isLoopback(url.hostname)) return;
  const found = lookup(url.hostname.replace(/^\[|\]$/g, "")).catch((problem: unknown) => {
    throw explainNetworkError(url.origin, problem);
  });
  const addresses = await (signal ? untilAborted(found, signal) : found);
  if (!addresses.every(({ address }) => isPrivate(address)))
    throw new TintypeError({
      code: "invalid-request",
      message: `${url.origin} would receive your key and images without encryption. Use https://.`,
      retryable: false,
    });
  if (warnedOf.has(url.origin)) return;
  warnedOf.add(url.origin);
  warn(`Your key and images travel to ${url.origin} unencrypted. Anyone on the network can read them.`);
}

const warnOfProcess = (sentence: string) => process.emitWarning(sentence, { code: "TINTYPE_UNENCRYPTED" });

/** As the connection itself will look it up, `/etc/hosts` and mDNS included. An address is its own result. */
const lookUp: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    dns.lookup(hostname, { all: true }, (problem, addresses) => (problem ? reject(problem) : resolve(addresses)));
  });

/** Hosts that never leave this machine: RFC 6761, 6.3, and RFC 1122, 3.2.1.3. */
const isLoopback = (hostname: string): boolean =>
  hostname === "[::1]" || /^127[.]\d+[.]\d+[.]\d+$/.test(hostname) || /(?:^|[.])localhost$/.test(hostname);

/** Loopback, private (RFC 1918, RFC 4193), link-local (RFC 3927, RFC 4291) and shared (RFC 6598) addresses. */
const privateAddress = new RegExp(
  [
    "^(?:10|127|192[.]168|169[.]254|172[.](?:1[6-9]|2\\d|3[01])|100[.](?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7]))[.][\\d.]+$",
    "^(?:::1|f[cd][\\da-f]{2}:[\\da-f:]*|fe[89ab][\\da-f]:[\\da-f:]*(?:%.+)?)$", // a link-local address may have a zone
  ].join("|"),
);
const isPrivate = (address: string): boolean => privateAddress.test(address.toLowerCase());

/** A lookup cannot be aborted. */
const untilAborted = <Value>(found: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    found.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
