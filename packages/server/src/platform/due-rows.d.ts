import type { FastifyBaseLogger } from "fastify";
/** Rows that something has to be done with, by whichever process takes them first. */
export type DueRows = {
    /** Does now what is due, and waits for it. */
    runDue(): Promise<void>;
    /** Takes no further row, and waits for those in hand. */
    close(): Promise<void>;
};
type DueRowsOptions<Row> = {
    /** Reserves one row that is due for this process; undefined where there is none. */
    take(): Promise<Row | undefined>;
    attempt(row: Row): Promise<void>;
    log: Pick<FastifyBaseLogger, "error">;
    /** For the log, such as "a webhook". */
    what: string;
};
export declare function createDueRows<Row>({ take, attempt, log, what }: DueRowsOptions<Row>): DueRows;
export {};
