// What the studio and the session say to each other where credits are short; the page brings them together.

export type CreditUse = { used: number; limit: number };

/** Sends the pictures that were held back: of those that can go only the first so many, or all once somebody has signed in. */
export type HeldBack = { run(count: number): void; runSignedIn(): void };

/** What the studio is about to send. */
export type Wanted = HeldBack & {
  pictureCount: number;
  /** Credits that one picture costs. */
  creditsEach: number;
  usage: CreditUse | undefined;
  filesPerBatch: number | undefined;
};

/** For a person: why nothing is sent, and how many pictures the credits suffice for. */
export type Shortage = { sentence: string; left: number };
