/** A point in time, with its zone. */
export declare const moment: (name: string) => import("drizzle-orm/pg-core").PgTimestampBuilderInitial<string>;
