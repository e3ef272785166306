import { isIP } from "node:net";
import { compile } from "@fastify/proxy-addr";
import { type Currency, currencyIn } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { FastifyRequest } from "fastify";
import type { Mount } from "../../http/endpoint.ts";
import type { CountryOf } from "../../platform/geo.ts";

export type Place = { country: string | null; currency: Currency };
export type PlaceOf = (request: FastifyRequest) => Place;

type LocationOptions = {
  countryOf: CountryOf;
  /** A header in which a trusted proxy sends the country, like `cf-ipcountry`. Ignored from other senders. */
  countryHeader: string | undefined;
  trustedProxies: string[] | undefined;
};

/** The country of a request: from a trusted proxy, otherwise by the address, otherwise unknown, which means US dollars. */
export function createPlaceOf({ countryOf, countryHeader, trustedProxies }: LocationOptions): PlaceOf {
  const isTrusted = trustedProxies ? compile(trustedProxies) : () => false;
  return (request) => {
    // The connection's peer, not the one in forwarding headers: anyone can send those to an exposed server.
    const isProxy = isTrusted(request.socket.remoteAddress ?? "", 0);
    const header = isProxy && countryHeader ? request.headers[countryHeader.toLowerCase()] : undefined;
    const fromProxy = typeof header === "string" && /^[A-Za-z]{2}$/.test(header) ? header.toUpperCase() : undefined;
    const country = fromProxy ?? (isIP(request.ip) ? countryOf(request.ip) : undefined) ?? null;
    return { country, currency: currencyIn(country) };
  };
}

export function mountLocation(mount: Mount, { placeOf }: { placeOf: PlaceOf }): void {
  mount(endpoints.getLocation, async ({ request }) => placeOf(request));
}
