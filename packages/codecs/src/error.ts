/**
 * Why a file is not read: `damaged`, it breaks the rules of its format; `unsupported`, it keeps them, but uses a part
 * that no decoder here reads; `too-large`, it exceeds a limit of this package on pixels or frames.
 */
export type CodecErrorCode = "damaged" | "unsupported" | "too-large";

type CodecErrorOptions = {
  /** A sentence for the person whose file it is. */
  detail?: string | undefined;
  /** For developers: the rule that the file breaks, or the error of a parser. */
  cause?: unknown;
};

/** The one error that decoders of this package throw on purpose. A `RangeError` means that a file ends too early. */
export class CodecError extends Error {
  readonly code: CodecErrorCode;
  readonly detail: string | undefined;
  override readonly name = "CodecError";
  constructor(code: CodecErrorCode, { detail, cause }: CodecErrorOptions = {}) {
    super(detail ?? (typeof cause === "string" ? cause : code), cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
  }
}
