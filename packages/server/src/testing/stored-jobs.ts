import { existsSync, readdirSync } from "node:fs";
import { storeIdName } from "../platform/blobs/blobs.ts";

/** The ids of jobs that have blobs in a folder. */
export const storedJobs = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== storeIdName) : [];
