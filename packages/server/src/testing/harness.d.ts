import type { PlanName } from "@tintype/contract";
import type { JWTPayload } from "jose";
import { type Service } from "../composition/compose.ts";
import type { Clock } from "../platform/clock.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
/** A clock that stands still until it is moved. */
export declare function heldClock(start?: Date): Clock & {
    advance(ms: number): void;
};
export type TestApp = Service & {
    baseUrl: string;
    dataFolder: string;
    /** A call of the API as a guest or person would make it; keeps cookies. */
    caller(token?: string): Caller;
    /** Somebody new with a valid token; claims given override the usual ones. */
    person(plan?: PlanName, claims?: JWTPayload): Promise<Caller & {
        subject: string;
        token: string;
    }>;
    /** Redis counts calls by its own time, which no test moves: its windows end here. Those in memory follow `clock`. */
    endRateWindows(): Promise<void>;
};
export type Caller = {
    call(path: string, options?: {
        method?: string;
        json?: unknown;
        /** A body as it stands, for JSON that nothing would write. */
        text?: string;
        form?: FormData;
        headers?: Record<string, string>;
        signal?: AbortSignal;
    }): Promise<Response>;
    run(task: string, files: TestFile[], fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
};
export type TestFile = {
    name: string;
    bytes: Uint8Array;
};
export type TestOptions = {
    clock?: Clock;
    environment?: Record<string, string>;
    /** A data folder to start on again; then it is kept afterwards. */
    dataFolder?: string;
    /** Whether its database lies in that folder too. */
    keepsDatabase?: boolean;
    /** Gets each line that the service logs, from `debug` on. */
    onLogLine?: (line: string) => void;
};
/** The whole service on a free port, on real adapters: PGlite (or PostgreSQL and Redis), local blobs, engine processes. */
export declare function startTestApp({ clock, environment, ...options }?: TestOptions): Promise<TestApp>;
/** The migrated database that the test run made at its start. */
export declare function snapshot(): PglitePlace;
/** Calls a server as a browser would, and keeps its cookies. */
export declare function createCaller(baseUrl: string, token?: string): Caller;
