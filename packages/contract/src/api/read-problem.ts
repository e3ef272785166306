import { errors, isErrorCode } from "../facts/error.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";

// Apart from problem.ts: the catalogue of errors is loaded when there is a first one to read.

type RawAnswer = { status: number; body: string; retryAfter: string | null };

/** Reads a refusal; one that is no problem+json (a proxy's page) still gives a sentence. */
export function problemFrom({ status, body, retryAfter }: RawAnswer): ApiProblem {
  const { type, detail, requestId } = parseObject(body);
  const name = /#error-([a-z-]+)$/.exec(typeof type === "string" ? type : "")?.[1] ?? "";
  const code = isErrorCode(name) ? name : undefined;
  return new ApiProblem({
    status,
    code,
    detail: typeof detail === "string" && detail ? detail : sentenceFor(status),
    retryAfterSeconds: secondsUntil(retryAfter),
    reference: status >= 500 && typeof requestId === "string" ? requestId : undefined,
  });
}

/** Whether the very same request can succeed later. */
export function isRetryable(problem: unknown): boolean {
  if (problem instanceof ConnectionLost) return true;
  if (!(problem instanceof ApiProblem)) return false;
  return problem.code ? errors[problem.code].retryable : [429, 502, 503, 504].includes(problem.status);
}

/** Any thrown thing as a sentence for people. */
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
    return {}; // not JSON: the status alone has to speak
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
