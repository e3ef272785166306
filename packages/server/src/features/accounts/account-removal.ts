import type { Person } from "../../http/caller.ts";
import type { Transaction } from "../../platform/db/database.ts";

/** A person whose account is about to be deleted. */
export type DepartingPerson = Pick<Person, "accountId" | "key" | "email">;

/** A person whose rows are to be deleted. */
export type RemovedPerson = Pick<Person, "accountId" | "key" | "issuer" | "subject"> & {
  email: string;
  emailVerified: boolean;
  /** Keyed hashes that recognise the same person if they return. */
  keptKeys: readonly string[];
  now: Date;
};

/** A feature's share of an account's deletion. */
export type AccountRemoval = {
  /**
   * Ends what is held outside the database. It may be called again for an account that was already released.
   * @throws DomainError; then nothing of the account is deleted
   */
  release?(person: DepartingPerson): Promise<void>;
  /**
   * Deletes or anonymises every row of the feature that belongs to the holder, in the single transaction that deletes the
   * account. Returns the work left to do after the commit.
   */
  forget(tx: Transaction, holder: RemovedPerson): Promise<(() => Promise<void>) | undefined>;
};
