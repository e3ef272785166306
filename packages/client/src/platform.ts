import type { TintypeError } from "./error.ts";

/** What differs between Node.js and browsers. */
export type Platform<Input> = {
  /** The error of a call without a response, where the runtime says more than that there was none. Browsers do not. */
  explain?: (server: string, problem: unknown) => TintypeError;
  /** Throws for a server that must not receive a key or a picture. Browsers judge by their own rules for mixed content. */
  check?: (server: string, signal: AbortSignal) => Promise<void>;
  /** The file itself, or a URL that the server fetches. */
  open(input: Input): Promise<File | URL>;
  /** Sends the request with a form as its body, and reports the share that has been sent, 0 to 1. */
  upload(request: Request, form: FormData, onSent: ((share: number) => void) | undefined): Promise<Response>;
};
