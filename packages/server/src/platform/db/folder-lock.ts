import { readFileSync, readlinkSync, renameSync, statSync } from "node:fs";
import { link, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The holder's heartbeat, ms. */
const heartbeatIntervalMs = 2_000;
/** A lock without a heartbeat for this long, three beats, has no holder. */
const heartbeatTimeoutMs = 6_000;
/** When several processes take over a dead holder's lock, each has written its name within this time. */
const settleMs = 500;

type Holder = { pid: number; began?: string; space?: string };

/**
 * Locks the folder for this process. Returns a function that releases it. A lock whose process is gone (killed, machine
 * restarted) is taken over. Process ids are reused, so on Linux the start time is compared too. Another container has
 * process ids of its own, so its process counts as alive while it touches the lock.
 * @throws Error when a living process holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "lock");
  const record = JSON.stringify({ pid: process.pid, began: processBegan(process.pid), space: processSpace() });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, record, { mode: 0o600 });
  try {
    await take(path, { record, draft, folder });
  } finally {
    await rm(draft, { force: true });
  }
  const beat = setInterval(
    () => void utimes(path, new Date(), new Date()).catch(() => {}),
    heartbeatIntervalMs,
  ).unref();
  return async () => {
    clearInterval(beat);
    await rm(path, { force: true });
  };
}

async function take(path: string, { record, draft, folder }: { record: string; draft: string; folder: string }) {
  // link() fails if the name exists, which decides atomically between two processes that start at once.
  const isTaken = await link(draft, path).then(
    () => true,
    () => false,
  );
  if (isTaken) return;
  const inUse = () => new Error(`Another Tintype is using ${folder}. Stop it, or set TINTYPE_DATA to another folder.`);
  const holder = read(path);
  if (await isAlive(holder, path)) throw inUse();
  // Others may replace the dead holder at the same moment. The name is never free in between, so the last writer has the
  // lock, and each of them sees that after a while.
  if (read(path) !== holder) throw inUse();
  renameSync(draft, path);
  await wait(settleMs);
  if (read(path) !== record) throw inUse();
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function isAlive(text: string, path: string): Promise<boolean> {
  const holder = holderOf(text);
  if (!holder) return false;
  if (holder.space !== undefined && holder.space !== processSpace()) return isTouched(path);
  const began = processBegan(holder.pid);
  if (holder.began !== undefined && began !== undefined) return began === holder.began;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "EPERM"; // process.kill throws nothing else
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>; // written above, or damaged
    return typeof holder.pid === "number" ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the file is touched while this watches. */
async function isTouched(path: string): Promise<boolean> {
  const touchedAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = touchedAt();
  for (let waitedMs = 0; waitedMs < heartbeatTimeoutMs; waitedMs += settleMs) {
    await wait(settleMs);
    if (touchedAt() !== before) return touchedAt() !== undefined;
  }
  return false;
}

/** The PID namespace, which each container has of its own; undefined without /proc. */
function processSpace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/**
 * The process's start time in clock ticks since boot (proc_pid_stat(5), field 22); undefined without /proc. A killed
 * process whose parent has not reaped it yet (state Z) counts as ended: it holds nothing.
 */
function processBegan(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}
