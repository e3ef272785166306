import { DomainError } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Person } from "../../http/caller.ts";

type ForeignCallers = {
  /** Identifies the caller before the body is read. @throws unauthorized, scope-missing, too-many-requests */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  callerOf(request: FastifyRequest): Person;
};

/** Finds the people whose API keys are sent in another service's header. Emulated APIs have no guests. */
export function createForeignCallers(
  authenticate: Authenticate,
  keyOf: (request: FastifyRequest) => string | undefined,
): ForeignCallers {
  const callers = new WeakMap<FastifyRequest, Person>();
  return {
    async identify(request, reply) {
      const key = keyOf(request);
      if (!key || !/^[^\s,]+$/.test(key))
        throw new DomainError("unauthorized", { detail: "Send an API key of this server." });
      request.headers.authorization = `Bearer ${key}`;
      const caller = await authenticate(request, reply, "person");
      if (!caller.scopes.includes("process"))
        throw new DomainError("scope-missing", {
          detail: "This API key lacks the scope process. Use a key that has it.",
        });
      callers.set(request, caller);
    },
    callerOf(request) {
      const caller = callers.get(request);
      if (!caller) throw new DomainError("unauthorized");
      return caller;
    },
  };
}
