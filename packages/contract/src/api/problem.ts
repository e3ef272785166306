import type { ErrorCode } from "../facts/error.ts";

/** An error response of the API: the fields of RFC 9457, and the catalogue's code if `type` names one. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** One sentence a person can act on. */
  readonly detail: string;
  /** The field of the request that the error is about. */
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The id by which the operator finds the failure in the log. Set only for failures that the caller did not cause. */
  readonly reference: string | undefined;
  constructor(problem: {
    status: number;
    code?: ErrorCode | undefined;
    detail: string;
    field?: string | undefined;
    retryAfterSeconds?: number | undefined;
    reference?: string | undefined;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.field = problem.field;
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.reference = problem.reference;
  }
}

/** No complete response: no network, an unavailable server, or a connection that broke midway. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  constructor(cause?: unknown) {
    super("The server cannot be reached. Check your connection and try again.", { cause });
  }
}
