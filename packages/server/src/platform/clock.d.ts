/** The time, as an argument: tests hold it still, and the payment sandbox moves it forward. */
export type Clock = {
    now(): Date;
};
export declare const systemClock: Clock;
/**
 * The system's time plus the milliseconds that stand in a file, read again each second of real time. For trying out
 * renewals and the ends of periods; a production server never uses it.
 */
export declare function fileClock(path: string): Clock;
/** UTC calendar day, `2026-11-21`, and month, `2026-11`. */
export declare const utcDay: (at: Date) => string;
export declare const utcMonth: (at: Date) => string;
