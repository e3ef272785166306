/** True where a query failed since the database could not be reached: it may answer again in some seconds. */
export declare function isDatabaseAway(problem: unknown): boolean;
