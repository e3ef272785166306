import { DomainError, type OperationName } from "@tintype/contract";
import { type Clock } from "../../platform/clock.ts";
import { type Database, type Queryable, type Transaction } from "../../platform/db/database.ts";
import { type Holder, type UnverifiedAccounts, type Usage } from "./allowance.ts";
export type Charge = {
    jobId: string;
    operation: OperationName;
    /** 1 where it is left out. */
    creditsPerFile?: number;
    files: readonly {
        index: number;
        name: string;
    }[];
};
/** `isFast`: the job's files are within the day's fast lane allowance. */
export type Charged = {
    usage: Usage;
    isFast: boolean;
};
export type Foreseen = {
    usage: Usage;
    taken: number;
    refusal: DomainError | undefined;
};
/**
 * Credits: each file's are taken once and given back once. README.md beside this file has the rules.
 * Every method that takes a transaction does its part in it and nothing outside.
 */
export type Ledger = {
    /**
     * Takes the credits of each file, open reservations first.
     * @throws out-of-credits, network-allowance; then nothing was taken
     */
    charge(tx: Transaction, holder: Holder, charge: Charge): Promise<Charged>;
    /**
     * Sets credits aside for the holder's next operations.
     * @throws out-of-credits, network-allowance; then nothing was taken
     */
    reserve(tx: Transaction, holder: Holder, credits: number): Promise<Usage>;
    /** Returns the credits of these files of a job, each at most once whoever asks how often; answers how many. */
    giveBack(tx: Queryable, back: {
        jobId: string;
        files: readonly {
            index: number;
            reason: string;
        }[];
    }): Promise<number>;
    usage(holder: Holder): Promise<Usage>;
    /**
     * Looks whether the holder has so many credits left, one if left out, before their pictures are taken in. It takes nothing.
     * @throws out-of-credits, network-allowance
     */
    requireCredit(holder: Holder, credits?: number): Promise<void>;
    /** Tells how much `charge` would take beyond open reservations, and whether it would refuse. It takes nothing. */
    foresee(holder: Holder, charge: {
        files: number;
        creditsPerFile: number;
    }): Promise<Foreseen>;
    /** Lapses run-out reservations of all holders, for counters without requests. */
    lapseAll(): Promise<void>;
};
type LedgerDependencies = {
    db: Database;
    clock: Clock;
    unverified?: UnverifiedAccounts;
};
export declare function createLedger({ db, clock, unverified }: LedgerDependencies): Ledger;
export {};
