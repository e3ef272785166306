import { type ErrorCode, errors } from "../facts/error.ts";
import { isPrivate } from "../facts/mode.ts";

/** The details of errors whose usual ones name plans. */
const privateDetails: Partial<Record<ErrorCode, string>> = {
  "too-many-files": "This is more files than this server takes in one batch.",
  "too-many-pixels": "The image has more pixels than this server allows.",
  "network-blocked": "Use from your network is blocked for now. Please ask the people who run this server.",
};

/** An error's usual detail, without plans where none are sold. */
export const detailOf = (code: ErrorCode): string => (isPrivate() && privateDetails[code]) || errors[code].detail;
