/**
 * A picture without its metadata; `notes` names the losses that a person might miss, and the parts that had to stay.
 */
export type Stripped = { bytes: Uint8Array; notes: string[] };
