import { type Receipt } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import { type Database } from "../../platform/db/database.ts";
export type Receipts = {
    /** @throws not-found, job-not-finished */
    find(id: string, owners: readonly string[]): Promise<{
        receipt: Receipt;
        jws: string;
    }>;
    keys(): Promise<{
        keys: PublicKey[];
    }>;
};
type PublicKey = {
    kty: string;
    crv: string;
    x: string;
    kid: string;
    alg: string;
    use: string;
};
/** Receipts of jobs: from the job's own rows while they are kept, and from what is left of them for 30 days. */
export declare function createReceipts({ db, clock, origin, secret, }: {
    db: Database;
    clock: Clock;
    origin: string;
    secret: string;
}): Receipts;
/** Deletes rows of jobs that ended before; what stands in their receipts stays, and goes when its own time is over. */
export declare function replaceByReceipts(db: Database, { before, now }: {
    before: Date;
    now: Date;
}): Promise<void>;
export {};
