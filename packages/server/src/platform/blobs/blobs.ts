import type { Readable } from "node:stream";

/** `head`: the first `headBytes` of it, fewer where it is shorter. */
export type Stored = { sizeBytes: number; sha256: string | undefined; head: Uint8Array };

export type StoreOptions = { limitBytes: number; hash: boolean; headBytes: number };

/**
 * Where pictures lie between upload and delivery: a folder a job, removed as a whole.
 * Names are made by the server, never by a caller.
 */
export type Blobs = {
  /** A path on this machine at which an engine process may read or write the picture. */
  path(jobId: string, name: string): string;
  /**
   * Stores a stream to its end.
   * @throws too-large after `limitBytes`; the rest of the stream is read and thrown away, nothing is kept
   */
  write(place: { jobId: string; name: string }, stream: Readable, options: StoreOptions): Promise<Stored>;
  read(jobId: string, name: string): Readable;
  /** One picture, or without a name all of the job's. What is not there is no error. */
  remove(jobId: string, name?: string): Promise<void>;
  /** Every job that has something here. */
  jobs(): Promise<string[]>;
};
