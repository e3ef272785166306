import { DomainError } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate, Person } from "../../http/caller.ts";

/**
 * The person whose API key was sent in another service's header. Emulated APIs have no guests.
 * @throws unauthorized, scope-missing, too-many-requests
 */
export async function callerByKey(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, authenticate }: { key: string | undefined; authenticate: Authenticate },
): Promise<Person> {
  if (!key || !/^[^\s,]+$/.test(key))
    throw new DomainError("unauthorized", { detail: "Send an API key of this server." });
  request.headers.authorization = `Bearer ${key}`;
  const caller = await authenticate(request, reply, "person");
  if (!caller.scopes.includes("process"))
    throw new DomainError("scope-missing", { detail: "This API key lacks the scope process. Use a key that has it." });
  return caller;
}
