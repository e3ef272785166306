import { DomainError, isPrivate, unknownName } from "@tintype/contract";
import { type Access, type Endpoint, scopeOf } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { systemClock } from "../platform/clock.ts";
import { type Authenticate, type Caller, type CallerFor, isFreshSignIn, type Person } from "./caller.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type ResponseOf<E extends Endpoint> = E["response"] extends { body: infer Body extends z.ZodType }
  ? Promise<z.input<Body> | FastifyReply>
  : E["response"] extends { status: 204 }
    ? Promise<void>
    : Promise<FastifyReply | undefined>;

export type Call<E extends Endpoint> = {
  caller: CallerFor<E["access"]>;
  params: Record<ParamNames<E["path"]>, string>;
  query: E extends { query: infer Query } ? Parsed<Query> : undefined;
  body: E extends { body: infer Body } ? Parsed<Body> : undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the caller hangs up before the response is sent. */
  signal: AbortSignal;
};

/** Returns what the row's `answer.body` accepts, nothing for a 204, or the reply itself after sending something else. */
export type Handler<E extends Endpoint> = (call: Call<E>) => ResponseOf<E>;

export type Mount = <const E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

export type Gate = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Creates `mount(row, handler)`, which validates requests and responses against the contract's row. Who calls and what they may
 * do is settled before the body is read. A `gate` refuses a request before that. Where nothing is sold, the rows that sell
 * are no addresses.
 */
export function createMount(
  app: FastifyInstance,
  authenticate: Authenticate,
  { gate }: { gate?: Gate | undefined } = {},
): Mount {
  const callers = new WeakMap<FastifyRequest, Caller>();
  return (endpoint, handler) => {
    if (endpoint.onlyIn === "service" && isPrivate()) return;
    app.route({
      // The network's requests are counted before the gate asks the database.
      ...(gate ? { onRequest: [app.rateLimit(), (request, reply) => gate(endpoint, request, reply)] } : {}),
      // HEAD by the handler itself: fastify's own would run a GET, and to deliver a picture is to delete it.
      method: endpoint.response.ranges ? [endpoint.method, "HEAD"] : endpoint.method,
      url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ":$1")}`,
      config: {
        takesForm: endpoint.form !== undefined,
        takesJson: endpoint.body !== undefined,
        ...(gate ? { rateLimit: false as const } : {}),
      },
      // An event stream does not end.
      exposeHeadRoute: endpoint.response.body !== undefined,
      // After the network's requests are counted, which is a hook of the route too.
      async preParsing(request, reply) {
        reply.header("cache-control", "no-store");
        refuseUnstorable([request.params, request.query]);
        const caller = await authenticate<Access>(request, reply, endpoint.access);
        // From here on the request's log lines name the account.
        if (caller?.kind === "person") request.log = request.log.child({ account: caller.accountId });
        if (caller) assertScope(caller, endpoint);
        // After identifying the caller, so that an unauthorised one is refused first.
        refuseUnknownParameters(request.query, endpoint);
        if (endpoint.needsFreshSignIn && caller?.kind === "person") assertFreshSignIn(caller);
        if (caller) callers.set(request, caller);
      },
      async handler(request, reply) {
        if (endpoint.body) refuseUnstorable(request.body);
        const call = {
          caller: callers.get(request),
          params: request.params,
          query: endpoint.query?.parse(request.query),
          body: endpoint.body?.parse(request.body ?? {}),
          request,
          reply,
          signal: hangUpSignal(reply),
        } as Call<typeof endpoint>; // each part was parsed by the very schemas the type is made from
        const response = await handler(call);
        // A stream counts as sent only at its end. Once its headers are sent, no other response is possible.
        if (response === reply || reply.sent || reply.raw.headersSent) return reply;
        const { body, status } = endpoint.response;
        return reply.code(status).send(body ? body.parse(response) : undefined);
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

/**
 * Irreversible actions need a recent sign-in: an unattended browser or a stolen cookie is not enough.
 * @throws fresh-sign-in-required
 */
function assertFreshSignIn({ signedInAt }: Person): void {
  // By the system's time, by which the identity provider stamps it.
  if (signedInAt && !isFreshSignIn(signedInAt, systemClock.now())) throw new DomainError("fresh-sign-in-required");
}

/** Nesting of lists and objects. Our deepest body has three levels; the stack overflows at some ten thousand. */
const maxDepth = 32;

/**
 * Rejects NUL and deep nesting before PostgreSQL does, whose error would be a 500.
 * @throws invalid-request
 */
function refuseUnstorable(value: unknown, depth = 0): void {
  if (depth > maxDepth) throw new DomainError("invalid-request");
  if (typeof value === "string" && value.includes("\0")) throw new DomainError("invalid-request");
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) refuseUnstorable(inner, depth + 1);
}

/**
 * Rejects unknown query parameters, like unknown form fields: `POST /compress?quality=40` would cost a credit for a result
 * that the caller did not want.
 * @throws invalid-request
 */
function refuseUnknownParameters(sent: unknown, { query, form, body }: Endpoint): void {
  const known = Object.keys(query?.shape ?? {});
  const odd = Object.keys(sent ?? {})
    .find((name) => !known.includes(name))
    ?.slice(0, shownCharacters);
  if (odd === undefined) return;
  const place = form ? " Fields go into the form." : body ? " Members go into the JSON body." : "";
  throw new DomainError("invalid-request", {
    field: odd,
    detail: `${unknownName(odd, known, "query parameter")}${place}`,
  });
}

const shownCharacters = 60;

/** Aborts when the caller hangs up before the response is sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
