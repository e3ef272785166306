import { DomainError } from "@tintype/contract";
import type { Access } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Caller, CallerFor, Person } from "../../http/caller.ts";
import { type RateState, tellRate } from "../../http/rate-headers.ts";
import { type Accounts, personOf } from "./accounts.ts";
import { guestKeyOf, guestOf } from "./guest.ts";
import { networkKey } from "./network.ts";
import type { VerifyToken } from "./token.ts";

type Dependencies = Accounts & {
  verifyToken: VerifyToken;
  /** The person an API key stands for; undefined for a bearer that is no key. */
  personByKey(bearer: string, use: { network: string; onCounted(rate: RateState): void }): Promise<Person | undefined>;
  secret: string;
  secureCookies: boolean;
};

/** Bearer token, API key or guest cookie, as the endpoint's access asks. A wrong token is never taken for a guest. */
export function createAuthenticate(dependencies: Dependencies): Authenticate {
  const { verifyToken, personByKey, secret, secureCookies, ...use } = dependencies;
  const identify = async (
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
  ): Promise<Caller | undefined> => {
    if (access === "anybody") return undefined;
    const header = request.headers.authorization;
    if (header === undefined && access === "guest-or-person")
      return guestOf(request, reply, { secret, secure: secureCookies });
    const token = /^Bearer +([^\s,]+)$/i.exec(header ?? "")?.[1];
    if (!token) throw new DomainError("unauthorized", { detail: howToSignIn });
    const network = networkKey(request.ip, secret);
    const byKey = await personByKey(token, { network, onCounted: (rate) => tellRate(reply, "key", rate) });
    if (byKey) return byKey;
    const person = await personOf(await verifyToken(token), network, use);
    return { ...person, guestKey: guestKeyOf(request) };
  };
  return async <A extends Access>(request: FastifyRequest, reply: FastifyReply, access: A) =>
    (await identify(request, reply, access)) as CallerFor<A>; // identify answers what CallerFor says, case by case
}

/** For programs: the site sends its token in the right way. */
const howToSignIn = "Please sign in, or send the header `Authorization: Bearer` with an API key (tt_live_…).";
