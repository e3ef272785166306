import type { Config } from "../config.ts";
import { type WorkClass } from "../platform/work/work.ts";
export type Role = {
    role: Config["TINTYPE_ROLE"];
    /** Answers callers. */
    hasApi: boolean;
    /** Classes of work that this process takes; none for an API process. */
    classes: readonly WorkClass[];
};
/** @throws Error where one process alone could not reach the others */
export declare function readRole({ TINTYPE_ROLE: role, TINTYPE_WORK, DATABASE_URL, REDIS_URL }: Config): Role;
