export { CodecError, type CodecErrorCode } from "./error.ts";
export type { ReadBytes } from "./read-bytes.ts";
