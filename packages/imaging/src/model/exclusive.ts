import { open, readFile, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const pollIntervalMs = 250;

/**
 * Runs the work under a lock file, so that no other process on this machine does it for the same path. The lock of a
 * process that no longer exists is removed.
 */
export async function exclusively<T>(
  path: string,
  work: () => Promise<T>,
  { signal }: { signal: AbortSignal | undefined },
): Promise<T> {
  const lock = `${path}.lock`;
  while (!(await take(lock))) {
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    else await wait(pollIntervalMs, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (problem) {
    if (problem instanceof Error && "code" in problem && problem.code === "EEXIST") return false;
    throw problem;
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  const owner = Number(await readFile(lock, "utf8").catch(() => ""));
  // Just created and the pid not written yet, or already released.
  if (!Number.isInteger(owner) || owner <= 0) return false;
  if (owner === process.pid) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (problem) {
    return problem instanceof Error && "code" in problem && problem.code === "ESRCH";
  }
}
