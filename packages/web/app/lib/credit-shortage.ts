// The contract between the studio and the session when credits run short; the page connects the two.

export type CreditUse = { used: number; limit: number };

/**
 * Sends the pictures that were held back: only the first `count` of those that can be sent, or all of them once the
 * visitor has signed in.
 */
export type HeldBack = { run(count: number): void; runSignedIn(): void };

/** What the studio is about to send. */
export type Wanted = HeldBack & {
  pictureCount: number;
  /** Credits per picture. */
  creditsEach: number;
  usage: CreditUse | undefined;
  filesPerBatch: number | undefined;
};

/** For a signed-in person: why nothing is sent, and how many pictures the remaining credits cover. */
export type Shortage = { sentence: string; left: number };
