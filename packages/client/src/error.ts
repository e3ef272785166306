import type { Problem } from "./generated/types.gen.ts";

/**
 * The API's codes, and three of the client's own. `network`: no response came. `timed-out`: the call took longer than
 * its `timeoutMs`. `unexpected-answer`: the response was not the API's, for example a proxy's.
 */
export type ErrorCode = Problem["code"] | "network" | "timed-out" | "unexpected-answer";

type Facts = {
  code: ErrorCode;
  message: string;
  status?: number | undefined;
  retryable: boolean;
  requestId?: string | undefined;
  field?: string | undefined;
  retryAfterMs?: number | undefined;
  resetsAt?: Date | undefined;
  smallestBytes?: number | undefined;
};

/** A refusal or a failure. Programs branch on `code` and `retryable`; `message` is one sentence for people. */
export class TintypeError extends Error {
  override readonly name = "TintypeError";
  readonly code: ErrorCode;
  /** The HTTP status; 0 when no response came. */
  readonly status: number;
  /** Whether the same call can succeed later. The client has already retried it. */
  readonly retryable: boolean;
  /** Quote it when you write to the server's operator. */
  readonly requestId: string | undefined;
  /** The option that was wrong, by its name in the API. */
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** Out of credits: when the allowance renews. */
  readonly resetsAt: Date | undefined;
  /** `size-unreachable`: the smallest size that was reached, bytes. */
  readonly smallestBytes: number | undefined;
  constructor({ message, status = 0, ...facts }: Facts, options?: ErrorOptions) {
    super(message, options);
    this.code = facts.code;
    this.status = status;
    this.retryable = facts.retryable;
    this.requestId = facts.requestId;
    this.field = facts.field;
    this.retryAfterMs = facts.retryAfterMs;
    this.resetsAt = facts.resetsAt;
    this.smallestBytes = facts.smallestBytes;
  }
}

export const networkError = (
  cause: unknown,
  { message = "The server cannot be reached, or the connection broke.", retryable = true } = {},
): TintypeError => new TintypeError({ code: "network", message, retryable }, { cause });

/** Reads a refusal: RFC 9457 from the API, or a bare status from a proxy. */
export async function errorFrom(response: Response): Promise<TintypeError> {
  const { status, headers } = response;
  const problem = parseProblem(await response.text().catch(() => ""));
  const shared = {
    status,
    requestId: problem?.requestId ?? headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers.get("retry-after")),
  };
  if (!problem)
    return new TintypeError({
      ...shared,
      code: "unexpected-answer",
      message: `The URL returned status ${status}, and not a response of a Tintype server.`,
      retryable: [429, 502, 503, 504].includes(status),
    });
  const { code, detail, retryable, field, resets_at, smallest_bytes } = problem;
  return new TintypeError({
    ...shared,
    code,
    retryable,
    field,
    message: detail,
    resetsAt: resets_at === undefined ? undefined : new Date(resets_at),
    smallestBytes: smallest_bytes,
  });
}

function parseProblem(body: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isProblem = typeof value === "object" && value !== null && "code" in value && "detail" in value;
    return isProblem ? (value as Problem) : undefined; // the API's own shape: no other response in the OpenAPI document has both
  } catch {
    return undefined; // a proxy's error page
  }
}

/** Seconds or a date: RFC 9110, 10.2.3. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
