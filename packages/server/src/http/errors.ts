import { DomainError, type ErrorCode, errors, type Problem } from "@tintype/contract";
import { detailOf } from "@tintype/contract/reference";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZodError } from "zod";
import { isConnectionError } from "../platform/db/connection-error.ts";
import { messageOf } from "../platform/log.ts";
import { issueSentence } from "./issue-sentence.ts";

export const requestIdHeader = "x-request-id";

export function problemOf(error: DomainError, requestId: string): Problem {
  const { code, detail, field, resetsAt, smallestBytes } = error;
  const { status, title, retryable } = errors[code];
  return {
    type: `/api/docs#error-${code}`,
    title,
    status,
    code,
    detail: detail === errors[code].detail ? detailOf(code) : detail,
    retryable,
    ...(field === undefined ? {} : { field }),
    ...(resetsAt === undefined ? {} : { resets_at: resetsAt.toISOString() }),
    ...(smallestBytes === undefined ? {} : { smallest_bytes: smallestBytes }),
    requestId,
  };
}

/** Errors of fastify and its plugins, by code. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported-media-type",
  FST_ERR_BAD_URL: "invalid-request",
  FST_FILES_LIMIT: "too-many-files",
  FST_PARTS_LIMIT: "invalid-request",
  FST_FIELDS_LIMIT: "invalid-request",
  FST_PROTO_VIOLATION: "invalid-request",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "unsupported-media-type",
  FST_REQ_FILE_TOO_LARGE: "too-large",
};

/** The public error for anything thrown. */
function asDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof ZodError)
    return new DomainError("invalid-request", { ...sentenceOf(thrown), ...fieldOf(thrown) });
  if (isConnectionError(thrown)) return new DomainError("unavailable", { retryAfterSeconds: 5, cause: thrown });
  const { code = "", statusCode = 500 } = (thrown ?? {}) as Partial<FastifyError>; // only read where it is one
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new DomainError("too-large", { detail: "The body is larger than this call takes.", cause: thrown });
  const known = frameworkCodes[code];
  if (known) return new DomainError(known, { cause: thrown });
  if (statusCode === 429) return new DomainError("too-many-requests", { cause: thrown });
  if (statusCode === 404) return new DomainError("not-found", { cause: thrown });
  if (statusCode >= 400 && statusCode < 500) return new DomainError("invalid-request", { cause: thrown });
  return new DomainError("internal", { cause: thrown });
}

const sentenceOf = ({ issues: [issue] }: ZodError) => (issue ? { detail: issueSentence(issue) } : {});
function fieldOf({ issues: [issue] }: ZodError): { field?: string } {
  const odd = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...odd].join(".");
  return field ? { field } : {};
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = noteRefusal(request, reply, thrown);
  return reply.code(errors[error.code].status).type("application/problem+json").send(problemOf(error, request.id));
}

/** Logs what was thrown, sets the error's headers, and returns the public error. */
export function noteRefusal(request: FastifyRequest, reply: FastifyReply, thrown: unknown): DomainError {
  const error = asDomainError(thrown);
  const { status, retryable } = errors[error.code];
  if (status >= 500) request.log.error({ err: error, cause: error.cause }, "request failed");
  else request.log.info({ code: error.code, cause: causeText(error) }, "request refused");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  else if (retryable && (status === 429 || status === 503) && !reply.hasHeader("retry-after"))
    reply.header("retry-after", 5);
  // RFC 9110 §15.5.2: a 401 names the scheme to authenticate with.
  if (status === 401) reply.header("www-authenticate", "Bearer");
  // The router's own refusals run no hooks.
  reply.headers({ "cache-control": "no-store", [requestIdHeader]: request.id });
  return error;
}

const causeText = ({ cause }: DomainError) => (cause === undefined ? undefined : messageOf(cause));

/** The only place that turns a code into a status. Stack traces and paths stay in the log. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => sendProblem(request, reply, thrown));
}
