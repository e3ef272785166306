import { type Quote, type QuotedFile, type RecipeStep } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ledger } from "../credits/ledger.ts";
type Asked = {
    caller: Caller;
    steps: readonly [RecipeStep, ...RecipeStep[]];
    files: readonly QuotedFile[];
};
/**
 * The ledger's state once the batch is through, if every file is a sound still picture of the facts that are given.
 */
export declare function makeQuote({ caller, steps, files }: Asked, { ledger, clock }: {
    ledger: Ledger;
    clock: Clock;
}): Promise<Quote>;
export {};
