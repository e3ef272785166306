/**
 * Why a file is not read: `damaged`, it breaks the rules of its format; `unsupported`, it keeps them, but uses a part
 * that no decoder here reads; `too-large`, it exceeds a limit of this package on pixels or frames.
 */
export type CodecErrorCode = "damaged" | "unsupported" | "too-large";

/** What exactly is wrong with a file, where it can be said: the sentences are the caller's. */
export type CodecFault =
  | { code: "gif-damaged"; fault: GifFault }
  | { code: "bmp-huffman" }
  | { code: "icon-images"; images: number; limit: number };

export type GifFault =
  | "bad-signature"
  | "cut-off-header"
  | "no-frame"
  | "no-pixels"
  | "unknown-block"
  | "no-palette"
  | "cut-off"
  | "large-frame"
  | "bad-frame";

type CodecErrorOptions = {
  /** For the person whose file it is. */
  fault?: CodecFault | undefined;
  /** For developers: the rule that the file breaks, or the error of a parser. */
  cause?: unknown;
};

/** The one error that decoders of this package throw on purpose. A `RangeError` means that a file ends too early. */
export class CodecError extends Error {
  readonly code: CodecErrorCode;
  readonly fault: CodecFault | undefined;
  override readonly name = "CodecError";
  constructor(code: CodecErrorCode, { fault, cause }: CodecErrorOptions = {}) {
    super(
      fault ? JSON.stringify(fault) : typeof cause === "string" ? cause : code,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.fault = fault;
  }
}
