/** Starts the PostgreSQL of the run, with a migrated database to copy. Gives its end. */
export declare function makeBackends(): Promise<() => Promise<void>>;
export type AppBackends = {
    environment: Record<string, string>;
    /** Forgets all that Redis holds, counted calls among it. */
    emptyRedis(): Promise<void>;
    close(): Promise<void>;
};
/**
 * A database and a Redis of its own for an app; nothing where the run is on embedded ones. An app that starts again on a
 * data folder gets the database that it had there, which then outlives it.
 */
export declare function openAppBackends(kept?: string): Promise<AppBackends | undefined>;
