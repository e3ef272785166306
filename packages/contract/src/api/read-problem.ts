import { errors, isErrorCode } from "../facts/error.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";

// Separate from problem.ts, so that the error catalogue is loaded only when there is an error to read.

type RawAnswer = { status: number; body: string; retryAfter: string | null };

/** Parses an error response. One that is not problem+json, such as a proxy's page, still gets a message. */
export function problemFrom({ status, body, retryAfter }: RawAnswer): ApiProblem {
  const { type, detail, field, requestId } = parseObject(body);
  const name = /#error-([a-z-]+)$/.exec(typeof type === "string" ? type : "")?.[1] ?? "";
  const code = isErrorCode(name) ? name : undefined;
  return new ApiProblem({
    status,
    code,
    detail: typeof detail === "string" && detail ? detail : sentenceFor(status),
    ...(typeof field === "string" ? { field } : {}),
    retryAfterSeconds: secondsUntil(retryAfter),
    reference: status >= 500 && typeof requestId === "string" ? requestId : undefined,
  });
}

/** Whether the same request can succeed later. */
export function isRetryable(problem: unknown): boolean {
  if (problem instanceof ConnectionLost) return true;
  if (!(problem instanceof ApiProblem)) return false;
  return problem.code ? errors[problem.code].retryable : [429, 502, 503, 504].includes(problem.status);
}

/** A sentence for people for any thrown value. */
export function sentenceOf(thrown: unknown): string {
  if (thrown instanceof ApiProblem) return thrown.detail;
  if (thrown instanceof ConnectionLost) return thrown.message;
  return errors.internal.detail;
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}; // an object has string keys
  } catch {
    return {}; // not JSON: the message depends on the status alone
  }
}

function sentenceFor(status: number): string {
  if (status === 413) return errors["too-large"].detail;
  if (status === 429) return errors["too-many-requests"].detail;
  if (status >= 502 && status <= 504) return errors.full.detail;
  return errors.internal.detail;
}

/** Retry-After is seconds or a date (RFC 9110, 10.2.3); our server sends seconds. */
function secondsUntil(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
