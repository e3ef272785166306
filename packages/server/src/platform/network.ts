import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { type SQL, sql } from "drizzle-orm";

/**
 * `network:` and keyed hashes of the IPv4 address or the IPv6 /64: enough for counting, and irreversible without the key.
 * An IPv6 key is `network:v6.A.B.C` with hashes of the /48, the /56 and the /64, so that it contains all enclosing
 * networks: see `networksAround`.
 */
export function networkKey(address: string, key: string): string {
  const hash = (text: string) => createHmac("sha256", key).update(text).digest("base64url").slice(0, 32);
  const groups = groupsOf(address);
  if (!groups) return `network:${hash(networkOf(address))}`;
  return `network:v6.${[48, 56, 64].map((bits) => hash(blockOf(groups, bits))).join(".")}`;
}

/** How many times a single network's limits apply to the /64, the /56 and the /48: a /48 has 65,536 of /64. */
const shares = [1, 4, 16];

export type NetworkAround = {
  key: string;
  /** How many times the limits of a single network apply to it. */
  share: number;
};

/**
 * The networks that a caller is in, narrowest first: `text` with its key of `networkKey`, then with that of the /56 and of the
 * /48 in its place. IPv4 has only the first. Whatever is limited by network is limited in each of them: whoever rents a /48
 * would otherwise have each limit 65,536 times.
 */
export function networksAround(text: string): NetworkAround[] {
  const [, before, hashes, after] = /^(.*\bnetwork:v6[.])([^:]+)(.*)$/.exec(text) ?? [];
  if (hashes === undefined) return [{ key: text, share: 1 }];
  const parts = hashes.split(".");
  return shares.map((share, index) => ({
    key: `${before}${parts.slice(0, parts.length - index).join(".")}${after}`,
    share,
  }));
}

/** SQL condition: the network in this column is the one of `key`, or lies in it. `key` is one of `networksAround`. */
export const isInNetwork = (column: SQL, key: SQL): SQL =>
  sql`(${column} = ${key} or starts_with(${column}, ${key} || '.'))`;

/** SQL expression: the widest of the networks around the one in this column. */
export const widestNetwork = (column: SQL): SQL => sql`substring(${column} from '^[^.]*(?:[.][^.]*)?')`;

/** `networksAround` as a table for SQL. */
export const networkRows = (network: string): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(networksAround(network))}::jsonb) as around(key text, share int)`;

/** What a key of `networkKey` or `networksAround` stands for, and its multiple of a single network's limits. */
export function networkBlockOf(key: string): { kind: "address" | "/64" | "/56" | "/48"; share: number } {
  const parts = /^network:v6[.](.+)$/.exec(key)?.[1]?.split(".").length;
  if (parts === undefined) return { kind: "address", share: 1 };
  const [, of56 = 1, of48 = 1] = shares;
  if (parts === 1) return { kind: "/48", share: of48 };
  return parts === 2 ? { kind: "/56", share: of56 } : { kind: "/64", share: 1 };
}

/** The part of the address that one household or company shares. IPv4-mapped IPv6 (`::ffff:1.2.3.4`) is IPv4. */
export function networkOf(address: string): string {
  const groups = groupsOf(address);
  if (groups) return blockOf(groups, 64);
  const plain = address.replace(/%.*$/, "");
  return /^::ffff:(\d+[.]\d+[.]\d+[.]\d+)$/i.exec(plain)?.[1] ?? plain;
}

/** The eight groups of an IPv6 address; undefined for other addresses. */
function groupsOf(address: string): number[] | undefined {
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain) || /^::ffff:\d+[.]/i.test(plain)) return undefined;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: missing }, () => "0"), ...right].map((group) => Number.parseInt(group, 16));
}

/** The prefix of `bits` bits, a multiple of 8 up to 64, in CIDR notation. */
function blockOf(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16));
  const cut = bits % 16 === 0 ? kept : kept.map((group, index) => (index === kept.length - 1 ? group & 0xff00 : group));
  return `${cut.map((group) => group.toString(16)).join(":")}::/${bits}`;
}
