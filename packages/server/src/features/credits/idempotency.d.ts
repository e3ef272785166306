import { type Queryable, type Transaction } from "../../platform/db/database.ts";
export type IdempotencyKey = {
    owner: string;
    key: string;
    fingerprint: string;
};
/** The caller's key as sent, if any. @throws invalid-request when it is none that can be kept */
export declare function readIdempotencyKey(header: string | string[] | undefined): string | undefined;
/** The same request gives the same fingerprint, however its form was built. */
export declare const fingerprintOf: (request: unknown) => string;
/** Whether a request came under the key before. Whoever made the key up for this one has paid for nothing. */
export declare function isKnownKey(db: Queryable, { owner, key }: Omit<IdempotencyKey, "fingerprint">): Promise<boolean>;
export type Claim = 
/** Work and charge. */
{
    kind: "first";
}
/** The last job under the key still runs. */
 | {
    kind: "running";
    jobId: string;
}
/** It was charged before: work without a charge, on those files whose credit still stands. */
 | {
    kind: "again";
    charged: ReadonlySet<number>;
    before: ReadonlyMap<number, Before>;
};
/** The end of a file that was not charged. */
export type Before = {
    state: "failed" | "unchanged";
    reason: string | undefined;
    code: string | undefined;
};
/**
 * Puts the job in the key's place, or says what the key stands for. Two at once wait for each other on the key's row. The
 * ledger says which files were charged: a repeat never gives more than those.
 * @throws idempotency-mismatch, conflict after too many repeats or when the charged job was cancelled
 */
export declare function claimKey(tx: Transaction, { owner, key, fingerprint }: IdempotencyKey, { jobId, now }: {
    jobId: string;
    now: Date;
}): Promise<Claim>;
/** For calls whose whole answer is a small JSON: the kept one, or undefined when this is the first. */
export declare function claimAnswer(tx: Transaction, { owner, key, fingerprint }: IdempotencyKey, now: Date): Promise<unknown>;
export declare function keepAnswer(tx: Transaction, { owner, key }: IdempotencyKey, answer: unknown): Promise<void>;
