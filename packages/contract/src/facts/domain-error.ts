import type { ErrorCode } from "./error.ts";
import { type Reason, reasonText } from "./reasons.ts";

/** Any error that may be reported to the caller. `detail` is public. Information for the log only goes to `cause`. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  /** What is stored of the error besides its code. */
  readonly reason: Reason;
  /** Seconds after which to try again, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The field or parameter at fault. */
  readonly field: string | undefined;
  /** When the allowance renews, if credits ran out. */
  readonly resetsAt: Date | undefined;
  /** The smallest size reached, if the result does not fit into the limit. */
  readonly smallestBytes: number | undefined;
  override readonly name = "DomainError";
  constructor(
    code: ErrorCode,
    options: {
      /** More specific than the catalogue's sentence, for an answer that is not stored: what a file ends with is a reason. */
      detail?: string | undefined;
      reason?: Reason | undefined;
      retryAfterSeconds?: number;
      field?: string | undefined;
      resetsAt?: Date | undefined;
      smallestBytes?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    const detail = options.detail ?? reasonText(options.reason ?? { code });
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason ?? { code };
    this.detail = this.message;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field;
    this.resetsAt = options.resetsAt;
    this.smallestBytes = options.smallestBytes;
  }
}
