import type { ErrorCode } from "../facts/error.ts";

/** The API said no: RFC 9457's fields, and the catalogue's code where the type names one. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** One sentence a person can act on. */
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** By which the operator finds the failure in the log; for failures that are not the caller's. */
  readonly reference: string | undefined;
  constructor(problem: {
    status: number;
    code?: ErrorCode | undefined;
    detail: string;
    retryAfterSeconds?: number | undefined;
    reference?: string | undefined;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.reference = problem.reference;
  }
}

/** Nothing came back: no network, a server that is away, or a connection that broke half way. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  constructor(cause?: unknown) {
    super("The server cannot be reached. Check your connection and try again.", { cause });
  }
}
