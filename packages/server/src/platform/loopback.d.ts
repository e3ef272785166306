/** True for an address that only this machine has (RFC 1122, RFC 4291), also in its IPv4-mapped form. */
export declare function isLoopback(address: string): boolean;
/** True where a server on `host` hears this machine alone. A name other than `localhost` may mean any address. */
export declare const isLoopbackHost: (host: string) => boolean;
