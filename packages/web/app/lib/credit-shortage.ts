// The contract between the studio and the session when credits run short; the page connects the two.

export type CreditUsage = { used: number; limit: number };

/**
 * Sends the pictures that were held back: only the first `count` of those that can be sent, or all of them once the
 * visitor has signed in.
 */
export type BatchActions = { run(count: number): void; runSignedIn(): void };

/** What the studio is about to send. */
export type PlannedBatch = BatchActions & {
  pictureCount: number;
  /** Credits per picture. */
  creditsEach: number;
  usage: CreditUsage | undefined;
  filesPerBatch: number | undefined;
};

/** For a signed-in person: why nothing is sent, and how many pictures the remaining credits cover. */
export type Shortage = { sentence: string; left: number };
