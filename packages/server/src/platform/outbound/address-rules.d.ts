export type AddressRules = {
    /** True where the address is public, or the operator's allow list names it. */
    isAllowed(address: string): boolean;
    /** True where the operator named the address: then http and any port are allowed too. */
    isNamed(address: string): boolean;
};
/** `allow`: CIDR blocks that the operator names, such as `10.1.0.0/16` or `::1/128`. @throws Error naming a wrong block */
export declare function createAddressRules(allow: readonly string[]): AddressRules;
