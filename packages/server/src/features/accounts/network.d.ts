/**
 * `network:` and a keyed hash of the IPv4 address or the IPv6 /64: enough to count by; without the key no reader
 * can go back from it to an address.
 */
export declare function networkKey(address: string, secret: string): string;
/** The part of the address that one household or company shares. IPv4 inside IPv6 (`::ffff:1.2.3.4`) is IPv4. */
export declare function networkOf(address: string): string;
