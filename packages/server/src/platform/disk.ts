import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "@tintype/contract";

/** The disk that a process writes pictures to. */
export type Disk = {
  /** Whether it has no room for a picture in work. */
  isFull(): Promise<boolean>;
};

/** Below this a disk counts as full, bytes: a picture in work may need more. */
const minRoomBytes = 64 * 2 ** 20;

export const openDisk = (folder: string): Disk => ({
  async isFull() {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < minRoomBytes) return true;
    // A quota of the user shows only when something is written.
    try {
      const probe = await mkdtemp(join(folder, ".room-"));
      await writeFile(join(probe, "probe"), Buffer.alloc(4096)).finally(() =>
        rm(probe, { recursive: true, force: true }),
      );
      return false;
    } catch (problem) {
      if (isDiskFull(problem)) return true;
      throw problem;
    }
  },
});

/** Whether an error, or one of its causes, means that a disk or a quota on it is full. */
export function isDiskFull(problem: unknown): boolean {
  for (let error = problem; error instanceof Error; error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") return true;
  }
  return false;
}

/** @throws unavailable while the disk is full */
export async function requireRoom(disk: Disk): Promise<void> {
  if (await disk.isFull()) throw new DomainError("unavailable", { reason: { code: "disk-full" } });
}
