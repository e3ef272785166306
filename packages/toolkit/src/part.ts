import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { digest } from "./digest.ts";

const partName = /^[.].*[.]tintype-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}[.]part$/;
/** A process on another machine cannot be checked; none works on one picture for longer than this. */
const maxWorkMs = 86_400_000;

/** The name of a temporary file or folder, which identifies the process that created it. */
export const partOf = (name: string): string =>
  `.${name}.tintype-${process.pid}-${processSpace()}-${randomBytes(4).toString("hex")}.part`;

export const isPart = (name: string): boolean => partName.test(name);

/** Removes what killed processes left in a folder; files of live processes stay. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, space] = partName.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const isLeft = space === processSpace() ? !isAlive(Number(pid)) : await isOld(path);
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

/** Identifies the machine or container that a process id belongs to: several may share a folder, and each has its own process 7. */
function processSpace(): string {
  let namespace = "";
  try {
    namespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has namespaces.
  }
  return digest(`${hostname()} ${namespace}`).slice(0, 8);
}

const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > maxWorkMs,
    () => false,
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "EPERM"; // process.kill throws nothing else
  }
}
