import type { Config } from "../config.ts";
import { type WorkClass, workClasses } from "../platform/work/work.ts";

export type Role = {
  role: Config["TINTYPE_ROLE"];
  /** Serves callers. */
  hasApi: boolean;
  /** Classes of work that this process consumes; none for an API process. */
  classes: readonly WorkClass[];
};

/** @throws Error if a process of this role could not reach the others */
export function readRole({ TINTYPE_ROLE: role, TINTYPE_WORK, DATABASE_URL, REDIS_URL }: Config): Role {
  if (role !== "all" && !(DATABASE_URL && REDIS_URL))
    throw new Error(`TINTYPE_ROLE=${role} requires DATABASE_URL and REDIS_URL: processes communicate through them.`);
  if (role === "api") return { role, hasApi: true, classes: [] };
  return { role, hasApi: role === "all", classes: TINTYPE_WORK ?? workClasses };
}
