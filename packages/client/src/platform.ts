/** The parts that differ between Node.js and browsers. */
export type Platform<Input> = {
  /** The file itself, or an address that the server fetches. */
  open(input: Input): Promise<File | URL>;
  /** Sends the request with a form as its body, and tells the share of it that has gone, 0 to 1. */
  upload(request: Request, form: FormData, onSent: ((share: number) => void) | undefined): Promise<Response>;
};
