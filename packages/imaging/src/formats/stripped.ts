import type { Note } from "@tintype/contract";
/** A picture without its metadata. `notes`: losses that a user might notice, and metadata that had to stay. */
export type Stripped = { bytes: Uint8Array; notes: Note[] };
