import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainEnvironment } from "../packed/pack.ts";

export type Ran = { code: number; stdout: string; stderr: string; bytes: Buffer };
type Options = { node?: string; cwd?: string; environment?: Record<string, string> };
type Terminal = Options & { columns?: number };

/** The `tintype` command, with its cache, credentials and neural networks in the test's folder. */
export type TestCommand = {
  run(args: readonly string[], options?: Options & { input?: Uint8Array | string }): Promise<Ran>;
  begin(args: readonly string[], options?: Options): ChildProcessWithoutNullStreams;
  inShell(args: readonly string[], options: Options & { redirection: string }): ChildProcessWithoutNullStreams;
  /** In a pseudo-terminal of a width in columns, by `script` of util-linux. */
  onTerminal(args: readonly string[], options?: Terminal): ChildProcessWithoutNullStreams;
};

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Runs the command from source, so that tests need not build the package. */
export const commandFromSource = (room: string): TestCommand =>
  testCommand(["--import", path("./client-from-source.ts"), path("../../packages/cli/src/tintype.ts")], room);

/** `start` is the arguments to Node.js that start the command. */
export function testCommand(start: readonly string[], room: string): TestCommand {
  const environmentOf = (environment: Record<string, string> = {}) => ({
    ...plainEnvironment(),
    XDG_CACHE_HOME: join(room, "cache"),
    XDG_CONFIG_HOME: join(room, "config"),
    XDG_DATA_HOME: join(room, "data"),
    ...environment,
  });
  const begin: TestCommand["begin"] = (args, { node = process.execPath, cwd = room, environment } = {}) =>
    spawn(node, [...start, ...args], { cwd, env: environmentOf(environment) });
  const lineOf = (node: string, args: readonly string[]) =>
    [node, ...start, ...args].map((word) => `'${word}'`).join(" ");
  return {
    begin,
    inShell: (args, { node = process.execPath, cwd = room, environment, redirection }) =>
      spawn("sh", ["-c", `exec ${lineOf(node, args)} ${redirection}`], { cwd, env: environmentOf(environment) }),
    run(args, { input, ...options } = {}) {
      const child = begin(args, options);
      child.stdin.on("error", () => {}); // a command that rejects its arguments reads no input
      child.stdin.end(input);
      return ended(child);
    },
    onTerminal(args, { node = process.execPath, cwd = room, columns = 100, environment } = {}) {
      const env = { TERM: "xterm", ...environmentOf(environment) };
      return spawn("script", ["-qec", `stty cols ${columns}; exec ${lineOf(node, args)}`, "/dev/null"], { cwd, env });
    },
  };
}

export function ended(child: ChildProcess): Promise<Ran> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (piece: Buffer) => out.push(piece));
  child.stderr?.on("data", (piece: Buffer) => err.push(piece));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code: code ?? -1, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}
