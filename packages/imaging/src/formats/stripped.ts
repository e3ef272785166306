/** A picture without its metadata; `notes` says what went that a person might miss, or what had to stay. */
export type Stripped = { bytes: Uint8Array; notes: string[] };
