import { readFileSync, readlinkSync, renameSync, statSync } from "node:fs";
import { link, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The holder tells so often that it lives, ms. */
const beatMs = 2_000;
/** A lock that is not touched for so long has no holder: three beats. */
const silentMs = 6_000;
/** Of several processes that take a dead holder's place, each has written its name after so long. */
const settleMs = 500;

type Holder = { pid: number; began?: string; space?: string };

/**
 * Makes this process the only one to use the folder; answers how to let go.
 * A lock whose process is gone (killed, machine restarted) is taken over. A process id can be given out again, therefore
 * on Linux the moment the process began is compared too. A process of another container has ids of its own: it lives as long as
 * it touches the lock.
 * @throws Error when a living process holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "lock");
  const mine = JSON.stringify({ pid: process.pid, began: processBegan(process.pid), space: processSpace() });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    await take(path, { mine, draft, folder });
  } finally {
    await rm(draft, { force: true });
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), beatMs).unref();
  return async () => {
    clearInterval(beat);
    await rm(path, { force: true });
  };
}

async function take(path: string, { mine, draft, folder }: { mine: string; draft: string; folder: string }) {
  // link() fails where the name exists: the one step that decides between two starting at once.
  const isTaken = await link(draft, path).then(
    () => true,
    () => false,
  );
  if (isTaken) return;
  const inUse = () => new Error(`Another Tintype is using ${folder}. Stop it, or set TINTYPE_DATA to another folder.`);
  const holder = read(path);
  if (await isAlive(holder, path)) throw inUse();
  // Others may take the dead one's place at this moment. Nothing lies between the look and the step, and the name never stands
  // free: the last one has it, which each of them sees after a while.
  if (read(path) !== holder) throw inUse();
  renameSync(draft, path);
  await wait(settleMs);
  if (read(path) !== mine) throw inUse();
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

/** Whether the file changes while this looks. */
async function isTouched(path: string): Promise<boolean> {
  const touchedAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = touchedAt();
  for (let waitedMs = 0; waitedMs < silentMs; waitedMs += settleMs) {
    await wait(settleMs);
    if (touchedAt() !== before) return touchedAt() !== undefined;
  }
  return false;
}

/** The space that process ids are counted in, which a container has of its own; undefined where there is no /proc. */
function processSpace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/**
 * Clock ticks since boot at which the process began (proc_pid_stat(5), field 22); undefined where there is no /proc.
 * A killed process whose parent has not waited for it yet (state Z) has ended: it holds nothing any more.
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
