import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openEngineWorkdir } from "./engine-workdir.ts";

/**
 * How strongly an engine process is isolated, strongest first.
 * `namespaces`: it sees the system's libraries, our code, its models and its own workdir, but no network and no other process.
 * `network`: no network and no other process, but the files that its user may read.
 * `privileges`: it cannot gain privileges. `environment`: only the server's environment is hidden from it.
 */
export type SandboxLevel = "namespaces" | "network" | "privileges" | "environment";

export type Sandbox = {
  level: SandboxLevel;
  /** The user that engines run as, if not the server's own. */
  uid: number | undefined;
  /** Whether the started process is only a supervisor whose child does the work. */
  hasSupervisor: boolean;
  /**
   * The command line that runs `command` in the sandbox. Start it in `workdir`: its working folder, and the only place it can write to.
   */
  wrap(workdir: string, command: readonly string[]): [file: string, ...args: string[]];
};

export type SandboxOptions = {
  /** Files and folders that the engine reads besides the system's. All of them exist. */
  readable: readonly string[];
  /** A folder in which a workdir can be created for a test run. */
  scratch: string;
  /** Whether it computes on a GPU: the system's devices then stay visible. */
  needsDevices?: boolean;
};

/** The user and group of engines under root. systemd's table of user ids leaves 65520 to 65533 unused by any account or service. */
export const engineUid = 65_530;
/** Each test run starts one small process. One that hangs does not keep the server from starting. */
const probeTimeoutMs = 10_000;

/** No sandbox: for systems without these tools, and for benchmarks of a sandbox's cost. */
export const noSandbox: Sandbox = {
  level: "environment",
  uid: undefined,
  hasSupervisor: false,
  wrap: (_room, [file = "", ...args]) => [file, ...args],
};

/**
 * The strongest sandbox that works on this system, or with `isOff` none, but under root still another user. Undefined
 * under root if none works: a compromised engine would be root.
 */
export async function chooseSandbox(
  options: SandboxOptions,
  { isOff = false }: { isOff?: boolean } = {},
): Promise<Sandbox | undefined> {
  for (const sandbox of sandboxes(options).slice(isOff ? -1 : 0))
    if (sandbox === noSandbox || (await isSupported(sandbox, options))) return sandbox;
  return undefined;
}

/** Every sandbox that a system may have, strongest first. No engine ever runs as root. */
export function sandboxes(options: SandboxOptions): Sandbox[] {
  const isRoot = process.getuid?.() === 0;
  const makes = [bubblewrap({ mountsProc: true }), bubblewrap({ mountsProc: false }), unshared, unprivileged];
  const candidates = makes.map((make) => make(isRoot ? engineUid : undefined, { ...options, isRoot }));
  return isRoot ? candidates : [...candidates, noSandbox];
}

type MakeSandbox = (uid: number | undefined, options: SandboxOptions & { isRoot: boolean }) => Sandbox;

/** Drops all privileges for good: the server's own, and those that a set-user-id program would grant. */
const dropPrivileges = (uid: number | undefined): string[] => [
  "setpriv",
  "--no-new-privs",
  ...(uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"]),
  "--inh-caps=-all",
  "--",
];

/** Libraries, fonts, the number of cores, huge pages and the container's limits. */
const systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const systemFiles = [
  "/usr",
  "/etc/ld.so.cache",
  "/etc/fonts",
  "/etc/alternatives",
  "/var/cache/fontconfig",
  "/sys/devices/system/cpu",
  "/sys/kernel/mm/transparent_hugepage",
  "/sys/fs/cgroup",
];

/** Files of /proc from which programs size their caches and threads. */
const machineFacts = ["/proc/cpuinfo", "/proc/meminfo"];

/**
 * A container runtime masks parts of /proc, and the kernel then refuses to mount an unmasked one: without `mountsProc`
 * engines have no /proc. What remains describes the machine, but no process.
 */
const bubblewrap =
  ({ mountsProc }: { mountsProc: boolean }): MakeSandbox =>
  (uid, { readable, needsDevices, isRoot }) => {
    const linked = systemFolders.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
    const folders = systemFolders.filter((path) => existsSync(path) && !linked.includes(path));
    const args = [
      "--die-with-parent",
      ...["--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts"],
      // Root may create the other namespaces; other users may in a user namespace.
      ...(isRoot ? [] : ["--unshare-user"]),
      ...["--cap-drop", "ALL"],
      // To change the user inside. setpriv then drops these capabilities along with all others.
      ...(uid === undefined ? [] : ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
      // By default it creates them for its own user only.
      ...foldersAbove([...systemFiles, ...machineFacts, ...readable]).flatMap((path) => [
        "--perms",
        "0755",
        "--dir",
        path,
      ]),
      ...linked.flatMap((path) => ["--symlink", readlinkSync(path), path]),
      ...[...folders, ...systemFiles].flatMap((path) => ["--ro-bind-try", path, path]),
      ...(mountsProc ? ["--proc", "/proc"] : machineFacts.flatMap((path) => ["--ro-bind-try", path, path])),
      ...(needsDevices ? ["--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"] : ["--dev", "/dev"]),
      // A program could type into the terminal that the server was started in. A session of its own would prevent that
      // too, but the scheduler would then ignore the engines' nice value (sched(7), autogroups).
      ...["--dev-bind", "/dev/null", "/dev/tty"],
      ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ];
    return {
      level: "namespaces",
      uid,
      hasSupervisor: true,
      wrap: (workdir, command) => [
        "bwrap",
        ...args,
        ...["--bind", workdir, "/workdir", "--chdir", "/workdir", "--"],
        ...dropPrivileges(uid),
        ...command,
      ],
    };
  };

/** Every folder above these paths except the root, outermost first. */
function foldersAbove(paths: readonly string[]): string[] {
  const above = (path: string): string[] => {
    const parent = dirname(path);
    return parent === path || parent === "/" ? [] : [...above(parent), parent];
  };
  return [...new Set(paths.flatMap(above))];
}

const unshared: MakeSandbox = (uid, { isRoot }) => ({
  level: "network",
  uid,
  hasSupervisor: true,
  wrap: (_room, command) => [
    "unshare",
    ...["--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"],
    ...(isRoot ? [] : ["--user", "--map-current-user"]),
    "--",
    ...dropPrivileges(uid),
    ...command,
  ],
});

const unprivileged: MakeSandbox = (uid) => ({
  level: "privileges",
  uid,
  hasSupervisor: false,
  wrap(_room, command) {
    const [file = "", ...args] = [...dropPrivileges(uid), ...command];
    return [file, ...args];
  },
});

/** Does what an engine does: writes to its workdir by a relative path, and reads its files. */
const tryScript = `const fs = require("node:fs");
fs.writeFileSync("tried", "");
for (const path of process.argv.slice(1))
  if (fs.statSync(path).isDirectory()) fs.readdirSync(path);
  // A program may be one that its user can run and not read.
  else fs.accessSync(path, path === process.execPath ? fs.constants.X_OK : fs.constants.R_OK);`;

/** Tested by running: an installed tool may still be refused by the kernel or the container. */
export async function isSupported(sandbox: Sandbox, { readable, scratch }: SandboxOptions): Promise<boolean> {
  const workdir = openEngineWorkdir(scratch, sandbox.uid);
  try {
    const [file, ...args] = sandbox.wrap(workdir.path, [process.execPath, "--eval", tryScript, "--", ...readable]);
    await promisify(execFile)(file, args, {
      cwd: workdir.path,
      env: { PATH: process.env["PATH"] },
      timeout: probeTimeoutMs,
    });
    return true;
  } catch {
    return false;
  } finally {
    workdir.remove();
  }
}
