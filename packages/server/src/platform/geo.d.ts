/** The ISO 3166 code of the country an address is registered in, or undefined for private and unknown ones. */
export type CountryOf = (address: string) => string | undefined;
/** DB-IP's country database, which the product ships (CC BY 4.0; one file for IPv4 and IPv6). */
export declare function openCountries(): Promise<CountryOf>;
