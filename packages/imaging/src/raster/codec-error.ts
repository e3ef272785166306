import { CodecError, type CodecErrorCode } from "@tintype/codecs";
import { DomainError, type ErrorCode } from "@tintype/contract";

const codes: Record<CodecErrorCode, ErrorCode> = {
  damaged: "broken-image",
  unsupported: "cannot-process",
  "too-large": "too-many-pixels",
};

/** The error of a codec as the contract's, with its fault as the reason; any other error as it is. */
export function asDomainError(problem: unknown): unknown {
  if (!(problem instanceof CodecError)) return problem;
  const { code, fault: reason, cause } = problem;
  return new DomainError(codes[code], { reason, cause });
}

/** The result of work with codecs, whose errors become the contract's. */
export async function withDomainErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    throw asDomainError(problem);
  }
}
