import { type Queryable } from "../../platform/db/database.ts";
/** A reservation that no operation spends within this time lapses. */
export declare const reservationLifeMs: number;
type ReservationRow = {
    id: string;
    day: string;
    network: string | null;
    open: number;
};
export type Spent = {
    reservationId: string;
    day: string;
};
/**
 * Uses up to `wanted` open reservations, those that lapse first before the others, and of each a multiple of `atOnce`. The
 * row must be locked.
 */
export declare function spendReservations(tx: Queryable, { holder, wanted, atOnce }: {
    holder: string;
    wanted: number;
    atOnce: number;
}): Promise<Spent[]>;
/** Those that lapse first before the others. */
export declare function openReservations(db: Queryable, holder: string, { lock }?: {
    lock?: boolean | undefined;
}): Promise<ReservationRow[]>;
/** How many of a reservation's credits are spent: whole files' only. */
export declare const takenOf: ({ open }: Pick<ReservationRow, "open">, { wanted, atOnce }: {
    wanted: number;
    atOnce: number;
}) => number;
/** Locks the holder's row and lapses what has run out; answers whether reservations are still open. */
export declare function settleReservations(tx: Queryable, { holder, now }: {
    holder: string;
    now: Date;
}): Promise<boolean>;
export {};
