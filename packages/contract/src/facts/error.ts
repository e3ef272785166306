import { text } from "./text.ts";

type ErrorFacts = {
  status: number;
  title: string;
  /** One sentence a person can act on. Code that throws the error can replace it with a more specific one. */
  detail: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
};

/** Every error the API returns, all documented. Only `http/errors.ts` maps codes to statuses. */
export const errors = {
  "invalid-request": {
    status: 400,
    title: "Bad request",
    detail: "The request could not be read. Check its fields and try again.",
    retryable: false,
  },
  "no-files": { status: 400, title: "No image", detail: "Please select at least one image.", retryable: false },
  "upload-cut-off": {
    status: 400,
    title: "Upload cut off",
    detail: "The upload ended before it was complete. Please send it again.",
    retryable: true,
  },
  unauthorized: { status: 401, title: "Not signed in", detail: "Please sign in again.", retryable: false },
  "account-blocked": {
    status: 403,
    title: "Account blocked",
    detail: "This account is blocked. Please write to us through the contact form.",
    retryable: false,
  },
  "scope-missing": {
    status: 403,
    title: "Not allowed with this key",
    detail: "This API key is not allowed to do this. Use a key with the right scope, or sign in.",
    retryable: false,
  },
  "fresh-sign-in-required": {
    status: 403,
    title: "Sign in again",
    detail: "You signed in a while ago. Please sign in again to do this.",
    retryable: false,
  },
  "out-of-credits": { status: 403, title: "Out of credits", detail: "Your credits are used up.", retryable: false },
  "not-found": { status: 404, title: "Not found", detail: "There is nothing at this address.", retryable: false },
  "method-not-allowed": {
    status: 405,
    title: "Wrong method",
    detail: "This address does not support that method. The Allow header lists those it does.",
    retryable: false,
  },
  conflict: {
    status: 409,
    title: "Conflict",
    detail: "This is not possible right now. Reload and try again.",
    retryable: false,
  },
  "idempotency-in-progress": {
    status: 409,
    title: "Already in progress",
    detail: "A request with this Idempotency-Key is still in progress. Try again shortly.",
    retryable: true,
  },
  "idempotency-mismatch": {
    status: 422,
    title: "Key used before",
    detail: "This Idempotency-Key was used for a different request. Use a new key.",
    retryable: false,
  },
  "not-flagged": {
    status: 409,
    title: "Nothing to give back",
    detail:
      "This file has ended. Only a cut-out that may lack a large part of a person can be discarded for its credit.",
    retryable: false,
  },
  "already-delivered": {
    status: 409,
    title: "Already delivered",
    detail: "This result was downloaded or edited, so its credit stays used.",
    retryable: false,
  },
  "job-not-finished": {
    status: 409,
    title: "Not finished",
    detail: "The job is still in progress.",
    retryable: true,
  },
  gone: {
    status: 410,
    title: "Deleted",
    detail: "The results have been delivered or have expired, and are deleted.",
    retryable: false,
  },
  "range-not-satisfiable": {
    status: 416,
    title: "No such bytes",
    detail: "The result has no bytes in this range. The Content-Range header has its size.",
    retryable: false,
  },
  discarded: {
    status: 410,
    title: "Discarded",
    detail: "This result was discarded for its credit, and is deleted.",
    retryable: false,
  },
  "too-large": {
    status: 413,
    title: "Too large",
    detail: "The file or the whole request is too large.",
    retryable: false,
  },
  "too-many-files": {
    status: 413,
    title: "Too many files",
    detail: "This is more files than your plan allows in one batch.",
    retryable: false,
  },
  "not-an-image": {
    status: 415,
    title: "Not an accepted image",
    detail: "This file is not an image we can read.",
    retryable: false,
  },
  "unsupported-media-type": {
    status: 415,
    title: "Wrong content type",
    detail: "Send images as multipart/form-data, and everything else as JSON with Content-Type: application/json.",
    retryable: false,
  },
  "broken-image": {
    status: 422,
    title: "Broken image",
    detail: "The image is damaged and cannot be read.",
    retryable: false,
  },
  "too-many-pixels": {
    status: 422,
    title: "Too many pixels",
    detail: "The image has more pixels than your plan allows.",
    retryable: false,
  },
  "cannot-process": {
    status: 422,
    title: "Not possible",
    detail: "This is not possible with this image.",
    retryable: false,
  },
  "size-unreachable": {
    status: 422,
    title: "Does not fit",
    detail: "The image does not fit into max_bytes. Allow more bytes, a lower min_quality, or allow_resize.",
    retryable: false,
  },
  "would-lose": {
    status: 422,
    title: "Would lose something",
    detail: "The result would lose something that forbid names.",
    retryable: false,
  },
  "nothing-succeeded": {
    status: 422,
    title: "No image succeeded",
    detail: "None of the images could be processed.",
    retryable: false,
  },
  "took-too-long": {
    status: 422,
    title: "Took too long",
    detail: "The image took too long to process. Try a smaller one.",
    retryable: false,
  },
  "url-refused": {
    status: 422,
    title: "Address refused",
    detail: "This address cannot be used. It must be public, start with https and answer within 10 seconds.",
    retryable: false,
  },
  "url-unavailable": {
    status: 422,
    title: "Address does not answer",
    detail: "The address did not answer within 10 seconds. Please try again.",
    retryable: true,
  },
  "engine-failed": {
    status: 500,
    title: "Engine failed",
    detail: text.engineFailed,
    retryable: true,
  },
  cancelled: { status: 409, title: "Cancelled", detail: "The job was cancelled.", retryable: false },
  interrupted: {
    status: 503,
    title: "Interrupted",
    detail: text.interrupted,
    retryable: true,
  },
  "too-many-requests": {
    status: 429,
    title: "Too many requests",
    detail: "Too many requests. Please wait a moment.",
    retryable: true,
  },
  "not-admitted": {
    status: 403,
    title: "Not admitted",
    detail: "This service takes no new accounts. Please ask the people who run it.",
    retryable: false,
  },
  "key-limit": {
    status: 403,
    title: "Limit of the key",
    detail: "This API key has processed as many files as it may on a day.",
    retryable: false,
  },
  "network-allowance": {
    status: 403,
    title: "Out of guest credits",
    detail: "Your network has used all its guest credits for today. Sign in to continue.",
    retryable: false,
  },
  "network-blocked": {
    status: 403,
    title: "Network blocked",
    detail: "Free use from your network is blocked for now. Choose a plan, or write to us through the contact form.",
    retryable: false,
  },
  internal: {
    status: 500,
    title: "Server error",
    detail: "Something went wrong on our side. Please try again.",
    retryable: true,
  },
  full: { status: 503, title: "Busy", detail: "All our machines are busy. Please try again shortly.", retryable: true },
  "not-installed": {
    status: 503,
    title: "Not installed",
    detail: "This tool is unavailable right now.",
    retryable: false,
  },
  unavailable: {
    status: 503,
    title: "Not available",
    detail: "A service we depend on is not responding. Please try again shortly.",
    retryable: true,
  },
} as const satisfies Record<string, ErrorFacts>;
export type ErrorCode = keyof typeof errors;

/** Whether a code received over the network is in the catalogue. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);
