import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { promisify } from "node:util";

export type Timed<Answer> = { answer: Answer; wall: number; cpu: number };

/** What the work answers, its seconds by the clock, and those of the processor, of all threads together. */
export async function timed<Answer>(work: () => Answer | Promise<Answer>): Promise<Timed<Answer>> {
  const [start, before] = [performance.now(), cpuUsage()];
  const answer = await work();
  const { user, system } = cpuUsage(before);
  return { answer, wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

/**
 * The file that a program makes of "$0", and the seconds of its own processor time, which bash reports; its start and the
 * file cost about 2 ms. `suffix`: of the name of that file.
 */
export async function timeProgram(
  command: string,
  { bytes, suffix }: { bytes: Uint8Array; suffix: string },
): Promise<{ bytes: Uint8Array; cpu: number }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-program-"));
  try {
    const input = join(folder, "in");
    await writeFile(input, bytes);
    const { stderr } = await promisify(execFile)("bash", ["-c", `TIMEFORMAT='%U %S'; time ${command}`, input]);
    const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
    return { bytes: await readFile(`${input}${suffix}`), cpu: user + system };
  } finally {
    await rm(folder, { recursive: true });
  }
}
