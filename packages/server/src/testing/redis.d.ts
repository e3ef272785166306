export type TestRedis = {
    url: string;
    /** Kills it. `start` brings it back on the same port, with what it had written down. */
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Loses everything in it. */
    empty(): Promise<void>;
    close(): Promise<void>;
};
/**
 * A Redis of its own on a free port, in a temporary folder. `npm run verify` installs it where it is missing.
 * @throws Error when there is none on the machine: a test that needs it must not pass without it
 */
export declare function startRedis(): Promise<TestRedis>;
