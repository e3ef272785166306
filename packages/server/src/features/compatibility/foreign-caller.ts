import { DomainError } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Person } from "../../http/caller.ts";
import { isKeyLike } from "../keys/key-text.ts";

type ForeignCallers = {
  /** Identifies the caller before the body is read. @throws unauthorized, scope-missing, too-many-requests */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  callerOf(request: FastifyRequest): Person;
};

const noKey = () =>
  new DomainError("unauthorized", {
    detail: "Send an API key of this server (tt_live_…) with the scope process. The page /account/keys makes one.",
  });

/** Finds the people whose API keys are sent in another service's header. Emulated APIs have no guests. */
export function createForeignCallers(
  authenticate: Authenticate,
  keyOf: (request: FastifyRequest) => string | undefined,
): ForeignCallers {
  const callers = new WeakMap<FastifyRequest, Person>();
  return {
    async identify(request, reply) {
      const key = keyOf(request);
      if (!key || !/^[^\s,]+$/.test(key)) throw noKey();
      request.headers.authorization = `Bearer ${key}`;
      const caller = await authenticate(request, reply, "person").catch((problem: unknown) => {
        // Whoever uses another service's program has a key, and no way to sign in.
        throw problem instanceof DomainError && problem.code === "unauthorized" && !isKeyLike(key) ? noKey() : problem;
      });
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
