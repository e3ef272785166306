export type Preference = {
    /** The answer is the job, at once. */
    isAsync: boolean;
    /** The answer is the job after so many ms, where its end did not come before. */
    waitMs: number | undefined;
    /** The part of the wish that is met, for `Preference-Applied`. */
    applied: string | undefined;
};
/** RFC 7240's `respond-async` and `wait`; what is not understood is no reason to refuse a call. */
export declare function readPrefer(header: string | string[] | undefined): Preference;
