/** Engines of class `picture` need a core. Engines of class `model` hold a model and need a gigabyte. */
export type WorkClass = "picture" | "model";
export const workClasses: readonly WorkClass[] = ["picture", "model"];
export type Lane = "fast" | "normal";

/** A file that waits for an engine. The row in `job_files` is authoritative; an offer only says whose turn it is. */
export type Offer = {
  /** Identifies the row: job id and index. Letters, digits, `-`, `_` and `.` only. */
  fileId: string;
  workClass: WorkClass;
  lane: Lane;
  /** 1 to 2,000,000. The smallest goes first, equal priorities in the order of their offers. */
  priority: number;
};

export type ConsumeOptions = {
  /** Maximum concurrent turns: the number of engines. */
  concurrency: number;
  /**
   * Works on one file: this one, or another of its class that comes first. It first claims the row by compare-and-set, and
   * returns at once if none can be claimed: delivery is at least once. It never throws for a faulty picture; a throw is
   * logged and the turn ends.
   */
  handle(fileId: string): Promise<void>;
};
export type Consumer = {
  /** Starts no further turn and waits for those in progress. */
  close(): Promise<void>;
};

/**
 * The work queue. It holds only ids, no personal data, and may lose everything at any moment, since the sweep offers
 * waiting files again. The fast lane goes first, and the normal lane gets at least one turn in five while both wait.
 */
export type Work = {
  /**
   * Enqueues files. A file that already waits keeps its entry; a file that had its turn may be offered again. During its
   * turn the offer may be lost: a released file then waits for the sweep.
   * @throws unavailable when the queue cannot be reached; the sweep enqueues the files again later
   */
  offer(offers: readonly Offer[]): Promise<void>;
  /** Removes files from the queue. A file that is not queued is not an error, and one in progress keeps its turn. */
  withdraw(files: readonly Pick<Offer, "fileId" | "workClass" | "lane">[]): Promise<void>;
  /** Starts a consumer of a class. */
  consume(workClass: WorkClass, options: ConsumeOptions): Consumer;
  close(): Promise<void>;
};
