import { DomainError } from "@tintype/contract";
import { type Access, type Endpoint, scopeOf } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Authenticate, Caller, CallerFor } from "./caller.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type AnswerOf<E extends Endpoint> = E["answer"] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : FastifyReply | undefined;

export type Call<E extends Endpoint> = {
  caller: CallerFor<E["access"]>;
  params: Record<Names<E["path"]>, string>;
  query: E extends { query: infer Query } ? Parsed<Query> : undefined;
  body: E extends { body: infer Body } ? Parsed<Body> : undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Fires when the caller hangs up before the answer is out. */
  signal: AbortSignal;
};

/** Answers with what the row's `answer.body` takes, or with the reply itself after sending something else. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | FastifyReply>;

export type Mount = <const E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

/** Makes `mount(row, handler)`: parses what comes in and what goes out by the contract's row. */
export function createMount(app: FastifyInstance, authenticate: Authenticate): Mount {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ":$1")}`,
      config: { takesForm: endpoint.form !== undefined, takesJson: endpoint.body !== undefined },
      // A delivered picture is deleted and an event stream has no end of its own: neither is for a HEAD to begin.
      exposeHeadRoute: endpoint.answer.body !== undefined,
      async handler(request, reply) {
        reply.header("cache-control", "no-store");
        refuseUnstorable([request.params, request.query, endpoint.body ? request.body : undefined]);
        const caller = await authenticate<Access>(request, reply, endpoint.access);
        if (caller) assertScope(caller, endpoint);
        const call = {
          caller,
          params: request.params,
          query: endpoint.query?.parse(request.query),
          body: endpoint.body?.parse(request.body ?? {}),
          request,
          reply,
          signal: hangUpSignal(reply),
        } as Call<typeof endpoint>; // each part was parsed by the very schemas the type is made from
        const answer = await handler(call);
        // A stream counts as sent only at its end; when its headers are out there is nothing left to answer with.
        if (answer === reply || reply.sent || reply.raw.headersSent) return reply;
        const { body, status } = endpoint.answer;
        return reply.code(status).send(body ? body.parse(answer) : undefined);
      },
    });
  };
}

/** @throws scope-missing */
function assertScope({ scopes }: Caller, endpoint: Endpoint): void {
  const scope = scopeOf(endpoint);
  if (!scopes.includes(scope))
    throw new DomainError("scope-missing", {
      detail:
        scope === "account"
          ? "An API key cannot do this. Please sign in."
          : `This API key lacks the scope ${scope}. Use a key that has it.`,
    });
}

/** Lists within objects within lists: our deepest body has three levels. A stack overflows at some ten thousand. */
const maxDepth = 32;

/**
 * PostgreSQL holds no NUL in a text, and no honest caller sends one or nests so deep: said here, before it becomes an
 * error of ours.
 * @throws invalid-request
 */
function refuseUnstorable(value: unknown, depth = 0): void {
  if (depth > maxDepth) throw new DomainError("invalid-request");
  if (typeof value === "string" && value.includes("\0")) throw new DomainError("invalid-request");
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) refuseUnstorable(inner, depth + 1);
}

function hangUpSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
