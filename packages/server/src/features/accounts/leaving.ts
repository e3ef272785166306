import type { Person } from "../../http/caller.ts";
import type { Transaction } from "../../platform/db/database.ts";

/** Somebody whose account is to be deleted. */
export type Leaver = Pick<Person, "accountId" | "key" | "email">;

/** Somebody whose rows are to go. */
export type LeavingPerson = Pick<Person, "accountId" | "key" | "issuer" | "subject"> & {
  email: string;
  emailVerified: boolean;
  /** Keyed hashes by which the same person is known again, should they come back. */
  keptKeys: readonly string[];
  now: Date;
};

/** A feature's part in the end of an account. */
export type Leaving = {
  /**
   * Ends what is held outside the database. It may be called again for an account that was released before.
   * @throws DomainError; then nothing of the account is deleted
   */
  release?(person: Leaver): Promise<void>;
  /**
   * Deletes or unnames every row of the feature that belongs to the holder, in the one transaction that deletes the
   * account. Answers what is left to do once that is through.
   */
  forget(tx: Transaction, holder: LeavingPerson): Promise<(() => Promise<void>) | undefined>;
};
