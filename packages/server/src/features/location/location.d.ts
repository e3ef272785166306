import type { Currency } from "@tintype/contract";
import type { FastifyRequest } from "fastify";
import type { Mount } from "../../http/endpoint.ts";
import type { CountryOf } from "../../platform/geo.ts";
export type Place = {
    country: string | null;
    currency: Currency;
};
export type PlaceOf = (request: FastifyRequest) => Place;
type LocationOptions = {
    countryOf: CountryOf;
    /** A header in which a trusted proxy tells the country, like `cf-ipcountry`; ignored from other senders. */
    countryHeader: string | undefined;
    trustedProxies: string[] | undefined;
};
/** The country of a request: a trusted proxy's word, else by the address, else unknown and US dollars. */
export declare function createPlaceOf({ countryOf, countryHeader, trustedProxies }: LocationOptions): PlaceOf;
export declare function mountLocation(mount: Mount, { placeOf }: {
    placeOf: PlaceOf;
}): void;
export {};
