import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { processorMs } from "../../packages/server/src/platform/process-tree.ts";

/** Starts a Node script and waits for the first line it prints. */
export async function startScript(
  path: string,
  { flags = [], args = [], env = {}, hasChannel = false }: ScriptOptions = {},
) {
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit", ...(hasChannel ? ["ipc" as const] : [])],
  });
  if (!child.stdout) throw new Error(`${path} has no output`);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]; // a line is what the event carries
  return { child, line };
}
type ScriptOptions = {
  flags?: string[];
  args?: string[];
  env?: Record<string, string>;
  /** Whether the two exchange messages. */
  hasChannel?: boolean;
};

export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

/** Runs a Node script to its end and returns what it printed. */
export const output = (path: string, args: string[]): Promise<string> =>
  new Promise((done, fail) => {
    execFile(process.execPath, [path, ...args], (problem, stdout) => (problem ? fail(problem) : done(stdout)));
  });

/** Resident memory of a process and its descendants, MB (millions of bytes), with shared pages counted once (PSS). */
export function treeMemoryMb(pid: number): number {
  const own = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? "0";
  return (Number(own) * 1024) / 1e6 + childrenOf(pid).reduce((sum, child) => sum + treeMemoryMb(child), 0);
}

/** CPU time of a process and its descendants, ms: of those that have not ended. */
export const treeCpuMs = (pid: number): number =>
  (processorMs([pid]) ?? 0) + childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), 0);

export const programOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, "utf8").trim();

export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
