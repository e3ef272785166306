export type TestPostgres = {
    url: string;
    /** Ends it at once, as a crash does. `start` brings it back on the same port. */
    stop(): Promise<void>;
    start(): Promise<void>;
    close(): Promise<void>;
};
/**
 * A PostgreSQL of its own on a free port, in a temporary folder. `settings` are those of postgresql.conf. `npm run verify` installs it where it is missing.
 * @throws Error when there is none on the machine: a test that needs it must not pass without it
 */
export declare function startPostgres(settings?: Record<string, string | number | boolean>): Promise<TestPostgres>;
