import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** True for an address that only this machine has (RFC 1122, RFC 4291), also in its IPv4-mapped form. */
export function isLoopback(address: string): boolean {
  return loopback.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/** True if a server on `host` is reachable only from this machine. A name other than `localhost` may resolve to any address. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || isLoopback(host.replace(/^\[(.*)\]$/, "$1"));

const privateNetworks = new BlockList();
privateNetworks.addSubnet("10.0.0.0", 8);
privateNetworks.addSubnet("172.16.0.0", 12);
privateNetworks.addSubnet("192.168.0.0", 16);
privateNetworks.addSubnet("169.254.0.0", 16);
privateNetworks.addSubnet("100.64.0.0", 10);
privateNetworks.addSubnet("fc00::", 7, "ipv6");
privateNetworks.addSubnet("fe80::", 10, "ipv6");

/**
 * True if `host` is in a private network: an address of RFC 1918, RFC 4193, RFC 3927 or RFC 6598 (as of Tailscale), or a name
 * that public DNS does not have. Includes this machine.
 */
export function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host)) return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  if (version > 0) return privateNetworks.check(address, version === 6 ? "ipv6" : "ipv4");
  return !host.includes(".") || /\.(local|internal|lan|home\.arpa)$/.test(host);
}
