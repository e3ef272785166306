/** Reads `length` bytes of a file at `at`; fewer at its end. Where a file comes from is the caller's business. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;
