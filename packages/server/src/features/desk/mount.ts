import { type DeskRole, DomainError, deskScope, hasRole } from "@tintype/contract";
import type { DeskEndpoint } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Person } from "../../http/caller.ts";
import { createMount, type Gate, type Mount } from "../../http/endpoint.ts";

type DeskMountOptions = {
  authenticate: Authenticate;
  roleOf(accountId: string): Promise<DeskRole | undefined>;
  /** Whether this is the logged link's token, and it is still valid. */
  isClaim(token: string): Promise<boolean>;
};

/**
 * Mounts calls of the desk. Unauthorised callers get the response of an unknown address before the body is read: they must
 * not learn that a desk exists, or what their role lacks.
 */
export function createDeskMount(app: FastifyInstance, { authenticate, roleOf, isClaim }: DeskMountOptions): Mount {
  const operators = new WeakMap<FastifyRequest, Person>();

  const mayCall = async (person: Person, { role }: DeskEndpoint, request: FastifyRequest): Promise<boolean> => {
    if (role === "claim") {
      const { token } = request.params as { token: string }; // the row's path has it
      return person.by === "session" && (await isClaim(token));
    }
    if (person.by !== "session" && !person.scopes.includes(deskScope)) return false;
    const held = await roleOf(person.accountId);
    return held !== undefined && hasRole(held, role);
  };

  const gate: Gate = async (endpoint, request, reply) => {
    const person = await authenticate(request, reply, "person").catch((problem: unknown) => {
      if (problem instanceof DomainError) return undefined;
      throw problem;
    });
    if (person && (await mayCall(person, endpoint as DeskEndpoint, request))) {
      // An operator's session has all rights of the role; a key has scopes of its own.
      operators.set(request, person.by === "session" ? { ...person, scopes: [...person.scopes, deskScope] } : person);
      return;
    }
    hideTraces(reply);
    throw new DomainError("not-found");
  };

  const known = (async (request: FastifyRequest) => {
    const person = operators.get(request);
    if (!person) throw new DomainError("not-found");
    return person;
  }) as Authenticate; // every row of the desk is for persons, whom the gate has found
  return createMount(app, known, { gate });
}

/** Removes the rate limit headers of a key: an unknown address has only those of the network, which are added at the end. */
function hideTraces(reply: FastifyReply): void {
  for (const name of ["ratelimit", "ratelimit-policy"]) reply.removeHeader(name);
}
