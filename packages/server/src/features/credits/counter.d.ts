import type { AllowanceWindow } from "@tintype/contract";
import { type Queryable } from "../../platform/db/database.ts";
import type { Counters } from "./allowance.ts";
type Increase = {
    holder: string;
    /** Credits to take, 0 or more. */
    credits: number;
    /** Of them, those that are only reserved. */
    reserved?: number;
    allowance: {
        credits: number;
        window: AllowanceWindow;
    };
    now: Date;
    /** Refuse where reservations are open, which the slower way has to spend first. */
    onlyWithoutReservations?: boolean;
};
/**
 * Takes credits if they are there, and answers the counters after it, or undefined when the allowance does not
 * reach. This one statement decides: however many ask at once, none is granted past the limit. The windows roll
 * over in it, and never back, should a clock differ.
 */
export declare function increaseCounter(db: Queryable, increase: Increase): Promise<Counters | undefined>;
/** Moves the counters back by credits that were taken on the given day. */
export declare function decreaseCounter(db: Queryable, { holder, credits, day, reserved }: {
    holder: string;
    credits: number;
    day: string;
    reserved?: number;
}): Promise<void>;
/** The holder's row, on request held until the transaction ends: others of the same holder wait. */
export declare function readCounter(db: Queryable, { holder, lock }: {
    holder: string;
    lock?: boolean;
}): Promise<(Counters & {
    reserved: number;
}) | undefined>;
export {};
