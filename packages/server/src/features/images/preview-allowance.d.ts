import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
export type PreviewCaps = {
    /** Files of one caller in 24 hours. */
    callerFiles: number;
    /** Files of everybody in one network in 24 hours. */
    networkFiles: number;
};
/** Counts free previews, which would else be conversions without end. */
export type PreviewAllowance = {
    /** Counts files of one request. @throws too-many-requests; the caller's or the network's day is used up */
    take(preview: {
        caller: string;
        network: string;
        files: number;
    }): Promise<void>;
};
export declare function createPreviewAllowance(rateLimits: RateLimits, { callerFiles, networkFiles }: PreviewCaps): PreviewAllowance;
