/** Why a name is not taken, as a sentence; undefined for a good one. */
export declare function refuseName(name: string): string | undefined;
/** The name as it may be shown and mailed: what came from elsewhere, or before there was a rule, is cut. */
export declare function cleanName(name: string): string;
