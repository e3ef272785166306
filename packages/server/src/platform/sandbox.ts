import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openEngineRoom } from "./engine-room.ts";

/**
 * How far an engine process is kept from everything else, the strongest first.
 * `namespaces`: it sees the system's libraries, our code, its models and its own room, no network and no other process.
 * `network`: no network and no other process, but the files that its user may read.
 * `privileges`: it can gain none that it lacks. `environment`: only the server's environment is kept from it.
 */
export type SandboxLevel = "namespaces" | "network" | "privileges" | "environment";

export type Sandbox = {
  level: SandboxLevel;
  /** The user that engines run as, where it is not the server's own. */
  uid: number | undefined;
  /** Whether the process that is started only waits for the one that works, which is its child. */
  hasKeeper: boolean;
  /**
   * The command line that runs `command` in the sandbox. It is to be started in `room`, which is its working folder
   * and the one place it can write to.
   */
  wrap(room: string, command: readonly string[]): [file: string, ...args: string[]];
};

export type SandboxOptions = {
  /** Files and folders that the engine reads besides the system's own; each of them is there. */
  readable: readonly string[];
  /** A folder in which a room can be made for a try. */
  scratch: string;
  /** Whether it computes on a graphics card: the system's devices then stay in sight. */
  needsDevices?: boolean;
};

/** The user and group of engines under root. systemd's table of user ids leaves 65520 to 65533 unused: no account and no service has it. */
export const engineUid = 65_530;
/** Each try starts one small process; one that hangs does not keep the server from starting. */
const tryWithinMs = 10_000;

/** Without a sandbox: what a system without these tools has, and benches that measure what one costs. */
export const noSandbox: Sandbox = {
  level: "environment",
  uid: undefined,
  hasKeeper: false,
  wrap: (_room, [file = "", ...args]) => [file, ...args],
};

/**
 * The strongest sandbox that works on this system. Undefined under root where none works: an engine that a picture has
 * taken over would be root.
 */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox | undefined> {
  return firstThatWorks(sandboxes(options), options);
}

/** What an operator gets who wants no sandbox: none, and under root another user all the same. */
export async function chooseWeakest(options: SandboxOptions): Promise<Sandbox | undefined> {
  return firstThatWorks(sandboxes(options).slice(-1), options);
}

async function firstThatWorks(all: Sandbox[], options: SandboxOptions): Promise<Sandbox | undefined> {
  for (const sandbox of all) if (sandbox === noSandbox || (await worksHere(sandbox, options))) return sandbox;
  return undefined;
}

/** Every sandbox that a system may have, the strongest first. No engine ever runs as root. */
export function sandboxes(options: SandboxOptions): Sandbox[] {
  const isRoot = process.getuid?.() === 0;
  const makes = [bubblewrap({ mountsProc: true }), bubblewrap({ mountsProc: false }), unshared, unprivileged];
  const made = makes.map((make) => make(isRoot ? engineUid : undefined, { ...options, isRoot }));
  return isRoot ? made : [...made, noSandbox];
}

type Make = (uid: number | undefined, options: SandboxOptions & { isRoot: boolean }) => Sandbox;

/** No privilege, ever: neither those the server has nor those that a set-user-id program would give. */
const dropPrivileges = (uid: number | undefined): string[] => [
  "setpriv",
  "--no-new-privs",
  ...(uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"]),
  "--inh-caps=-all",
  "--",
];

/** Paths that tell a program libraries, fonts, the number of cores, large pages and its container's limits. */
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

/** Of the machine's /proc: what programs size their caches and threads by. */
const machineFacts = ["/proc/cpuinfo", "/proc/meminfo"];

/**
 * A container runtime hides parts of /proc, and the kernel then refuses to mount one that hides nothing: without
 * `mountsProc` engines have none. What remains of it tells about the machine, and of no process.
 */
const bubblewrap =
  ({ mountsProc }: { mountsProc: boolean }): Make =>
  (uid, { readable, needsDevices, isRoot }) => {
    const linked = systemFolders.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
    const folders = systemFolders.filter((path) => existsSync(path) && !linked.includes(path));
    const args = [
      "--die-with-parent",
      ...["--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts"],
      // Root has the right to make the others; anybody else gets it in a namespace of users.
      ...(isRoot ? [] : ["--unshare-user"]),
      ...["--cap-drop", "ALL"],
      // To change the user inside; setpriv gives these away, and with them all the others.
      ...(uid === undefined ? [] : ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
      // Of itself it makes them for its own user only.
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
      // The terminal that a server was started in could be typed into. A session of its own would keep that off too, and
      // make the kernel's scheduler forget that engines give way (sched(7), autogroups).
      ...["--dev-bind", "/dev/null", "/dev/tty"],
      ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ];
    return {
      level: "namespaces",
      uid,
      hasKeeper: true,
      wrap: (room, command) => [
        "bwrap",
        ...args,
        ...["--bind", room, "/room", "--chdir", "/room", "--"],
        ...dropPrivileges(uid),
        ...command,
      ],
    };
  };

/** Every folder above these paths but the root, the outermost first. */
function foldersAbove(paths: readonly string[]): string[] {
  const above = (path: string): string[] => {
    const parent = dirname(path);
    return parent === path || parent === "/" ? [] : [...above(parent), parent];
  };
  return [...new Set(paths.flatMap(above))];
}

const unshared: Make = (uid, { isRoot }) => ({
  level: "network",
  uid,
  hasKeeper: true,
  wrap: (_room, command) => [
    "unshare",
    ...["--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"],
    ...(isRoot ? [] : ["--user", "--map-current-user"]),
    "--",
    ...dropPrivileges(uid),
    ...command,
  ],
});

const unprivileged: Make = (uid) => ({
  level: "privileges",
  uid,
  hasKeeper: false,
  wrap(_room, command) {
    const [file = "", ...args] = [...dropPrivileges(uid), ...command];
    return [file, ...args];
  },
});

/** Writes into its room by a relative path, and reads all it has to: what an engine will do there. */
const tryScript = `const fs = require("node:fs");
fs.writeFileSync("tried", "");
for (const path of process.argv.slice(1))
  if (fs.statSync(path).isDirectory()) fs.readdirSync(path);
  // A program may be one that its user can run and not read.
  else fs.accessSync(path, path === process.execPath ? fs.constants.X_OK : fs.constants.R_OK);`;

/** Found by trying: a tool that is installed may still be refused by the kernel or by the container. */
export async function worksHere(sandbox: Sandbox, { readable, scratch }: SandboxOptions): Promise<boolean> {
  const room = openEngineRoom(scratch, sandbox.uid);
  try {
    const [file, ...args] = sandbox.wrap(room.path, [process.execPath, "--eval", tryScript, "--", ...readable]);
    await promisify(execFile)(file, args, { cwd: room.path, env: { PATH: process.env["PATH"] }, timeout: tryWithinMs });
    return true;
  } catch {
    return false;
  } finally {
    room.remove();
  }
}
