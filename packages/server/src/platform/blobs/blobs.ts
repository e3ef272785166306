import type { Readable } from "node:stream";

/** `head`: the first `headBytes` of it, fewer where it is shorter. */
export type StoredBlob = { sizeBytes: number; sha256: string | undefined; head: Uint8Array };

export type StoreOptions = { limitBytes: number; hash: boolean; headBytes: number };

/** Names are made by the server, never by a caller. */
export type BlobPlace = { jobId: string; name: string };

/** A blob at a path of this machine, for an engine process to read. */
export type Checkout = {
  path: string;
  /** Lets go of the local copy, if there is one. The blob stays. */
  release(): Promise<void>;
};

/** A path of this machine for an engine process to write a result to. No other process sees it before `commit`. */
export type Draft = {
  path: string;
  /** Stores what lies at `path` under its name, whole or not at all. */
  commit(): Promise<void>;
  /** Drops it; allowed after a `commit` too, whether it failed or not. */
  discard(): Promise<void>;
};

/**
 * Stores pictures between upload and delivery: a prefix a job, removed as a whole. The row that carries `delete_after` is
 * written before the first byte, therefore the store never lists what it holds.
 */
export type Blobs = {
  /**
   * Stores a stream to its end.
   * @throws too-large after `limitBytes` (the rest of the stream is read and thrown away, nothing is kept); unavailable
   *   where the store does not answer
   */
  write(place: BlobPlace, stream: Readable, options: StoreOptions): Promise<StoredBlob>;
  /** @throws gone where there is no such blob, unavailable where the store does not answer */
  checkout(place: BlobPlace): Promise<Checkout>;
  draft(place: BlobPlace): Promise<Draft>;
  /**
   * `sizeBytes`, where it is known: the stream ends with its last byte and does not look for more. A client that has as many
   * bytes as were announced may close the connection before a look would be answered.
   * @throws gone where there is no such blob, unavailable where the store does not answer
   */
  read(place: BlobPlace, sizeBytes?: number): Promise<Readable>;
  /**
   * One blob, or without a name all of the job's, unfinished multipart uploads included. Removing what is not there is no error.
   * @throws unavailable where the store does not answer; the sweeper tries again
   */
  remove(jobId: string, name?: string): Promise<void>;
  close(): Promise<void>;
};
