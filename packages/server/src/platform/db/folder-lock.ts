import { readFileSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes this process the only one to use the folder; answers how to let go.
 * A lock whose process is gone (killed, machine restarted) is taken over. A process id can be given out again, so
 * that on Linux the moment the process began is compared too.
 * @throws Error when a living process holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "lock");
  const mine = JSON.stringify({ pid: process.pid, began: processBegan(process.pid) });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      // link() fails where the name exists: the one step that decides between two starting at once.
      const taken = await link(draft, path).then(
        () => true,
        () => false,
      );
      if (taken) return () => rm(path, { force: true });
      const holder = await readFile(path, "utf8").catch(() => "");
      if (isAlive(holder))
        throw new Error(`Another Tintype is using ${folder}. Stop it, or set TINTYPE_DATA to another folder.`);
      await rm(path, { force: true });
    }
    throw new Error(`The lock in ${folder} cannot be taken.`);
  } finally {
    await rm(draft, { force: true });
  }
}

function isAlive(holder: string): boolean {
  const found = /"pid":(\d+)(?:,"began":"(\d+)")?/.exec(holder);
  if (!found) return false;
  const pid = Number(found[1]);
  const began = processBegan(pid);
  if (found[2] !== undefined && began !== undefined) return began === found[2];
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "EPERM"; // process.kill throws nothing else
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
