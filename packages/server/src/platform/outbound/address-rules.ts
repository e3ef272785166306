import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Special-purpose ranges (IANA registries for IPv4 and IPv6): loopback, private, link-local with the metadata services of
 * clouds, shared, documentation, benchmarks, multicast, reserved.
 */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Global unicast is 2000::/3. Excluded are its ranges that lead back to IPv4 or inside: Teredo and others, documentation, 6to4. */
const globalIpv6 = "2000::/3";
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

export type AddressRules = {
  /** True if the address is public, or on the operator's allow list. */
  isAllowed(address: string): boolean;
  /** True if the operator's list names the address: then http and any port are allowed too. */
  isNamed(address: string): boolean;
};

/** `allow`: the operator's CIDR blocks, such as `10.1.0.0/16` or `::1/128`. @throws Error naming an invalid block */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const named = blockListOf(allow);
  const special4 = blockListOf(specialIpv4);
  const special6 = blockListOf(specialIpv6);
  const global6 = blockListOf([globalIpv6]);
  const isNamed = (address: string) => contains(named, plain(address));
  return {
    isNamed,
    isAllowed(sent) {
      const address = plain(sent);
      if (isNamed(address)) return true;
      if (isIP(address) === 0) return false;
      return isIPv6(address)
        ? contains(global6, address) && !contains(special6, address)
        : !contains(special4, address);
    },
  };
}

const contains = (list: BlockList, address: string) =>
  isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** IPv4-mapped IPv6 (`::ffff:127.0.0.1`, `::ffff:7f00:1`) is checked as IPv4; a zone (`%eth0`) is removed. */
function plain(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(bare);
  if (mapped?.[1]) return mapped[1];
  if (!mapped?.[2] || !mapped[3]) return bare;
  const [high, low] = [Number.parseInt(mapped[2], 16), Number.parseInt(mapped[3], 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function blockListOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", bits] = block.split("/");
    const family = isIP(address);
    const length = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits);
    if (family === 0 || !Number.isInteger(length) || length < 0 || length > (family === 6 ? 128 : 32))
      throw new Error(`${block} is not a CIDR block such as 10.1.0.0/16.`);
    list.addSubnet(address, length, family === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
