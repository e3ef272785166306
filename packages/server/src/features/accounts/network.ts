import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";

/**
 * `network:` and a keyed hash of the IPv4 address or the IPv6 /64: enough to count by; without the key no reader
 * can go back from it to an address.
 */
export function networkKey(address: string, secret: string): string {
  return `network:${createHmac("sha256", `network ${secret}`).update(networkOf(address)).digest("base64url").slice(0, 32)}`;
}

/** The part of the address that one household or company shares. IPv4 inside IPv6 (`::ffff:1.2.3.4`) is IPv4. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+[.]\d+[.]\d+[.]\d+)$/i.exec(plain);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
