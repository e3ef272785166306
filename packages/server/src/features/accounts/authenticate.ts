import { DomainError } from "@tintype/contract";
import type { Access } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Caller, CallerFor, Person } from "../../http/caller.ts";
import { isFromOtherSite } from "../../http/host-check.ts";
import { addRateHeaders, type RateState } from "../../http/rate-headers.ts";
import { networkKey } from "../../platform/network.ts";
import { type AccountDependencies, personOf } from "./accounts.ts";
import { guestKeyOf, guestOf } from "./guest.ts";
import { invitationTokenOf } from "./join.ts";
import type { VerifyToken } from "./token.ts";

type Dependencies = AccountDependencies & {
  verifyToken: VerifyToken;
  /** The person of an API key; undefined for a bearer that is not a key. */
  personByKey(
    bearer: string,
    options: { network: string; onCounted(rate: RateState): void },
  ): Promise<Person | undefined>;
  /** The key for hashing networks. */
  networksKey: string;
  secureCookies: boolean;
};

/** Bearer token, API key or guest cookie, as the endpoint's access requires. A wrong token is never treated as a guest. */
export function createAuthenticate(dependencies: Dependencies): Authenticate {
  const { verifyToken, personByKey, networksKey, secureCookies, ...accounts } = dependencies;
  const identify = async (
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
  ): Promise<Caller | undefined> => {
    if (access === "anybody") return undefined;
    const header = request.headers.authorization;
    if (header === undefined) refuseStrayKey(request);
    if (header === undefined && access !== "person") {
      // A page on another site would use up the free credits of its visitor's network.
      if (isFromOtherSite(request)) throw new DomainError("unauthorized", { detail: pagesNeedProof });
      if (access === "guest-or-person" && !accounts.admission.guests)
        throw new DomainError("unauthorized", { detail: noGuests });
      return guestOf(request, reply, { networksKey, secure: secureCookies });
    }
    const token = /^Bearer +([^\s,]+)$/i.exec(header ?? "")?.[1];
    if (!token) throw new DomainError("unauthorized", { detail: howToSignIn });
    const network = networkKey(request.ip, networksKey);
    const byKey = await personByKey(token, { network, onCounted: (rate) => addRateHeaders(reply, "key", rate) });
    if (byKey) return byKey;
    const invitationToken = invitationTokenOf(request, secureCookies);
    const person = await personOf(await verifyToken(token), { network, invitationToken }, accounts);
    return { ...person, guestKey: guestKeyOf(request, { secure: secureCookies }) };
  };
  return async <A extends Access>(request: FastifyRequest, reply: FastifyReply, access: A) =>
    (await identify(request, reply, access)) as CallerFor<A>; // identify answers what CallerFor says, case by case
}

/** A caller who sends a key in another header would silently be counted as a guest: reject it. */
function refuseStrayKey({ headers }: FastifyRequest): void {
  const stray = Object.entries(headers).find(([, value]) => /^(?:Bearer +)?tt_(?:live|test)_/i.test(String(value)));
  if (stray)
    throw new DomainError("unauthorized", {
      detail: `Your API key is in the header \`${stray[0]}\`. Send it as \`Authorization: Bearer\` followed by the key.`,
    });
}

const pagesNeedProof = "Pages of other sites can call this only with an API key or an access token.";
const noGuests = "Please sign in: this service is not open to guests.";
/** For API clients: the site sends its token correctly. */
const howToSignIn = "Please sign in, or send the header `Authorization: Bearer` with an API key (tt_live_…).";
