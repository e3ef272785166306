import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainEnvironment } from "../packed/pack.ts";
import type { Line, Printed } from "./lasting-command.ts";

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

export type CommandFromSource = TestCommand & {
  /** Runs it in a process that stays for the next call: for tests of what it does, not of how it starts, reads its input and exits. */
  runHere(args: readonly string[], options?: Pick<Options, "cwd" | "environment">): Promise<Ran>;
  close(): void;
};

const clientFromSource = ["--import", path("./client-from-source.ts")];

/** Runs the command from source, so that tests need not build the package. */
export function commandFromSource(room: string): CommandFromSource {
  const command = testCommand([...clientFromSource, path("../../packages/cli/src/tintype.ts")], room);
  /** By what Node.js reads from the environment at its start. */
  const lasting = new Map<string, LastingCommand>();
  return {
    ...command,
    runHere(args, { cwd = room, environment } = {}) {
      const line = { args, cwd, environment: environmentIn(room, environment) };
      const ofNode = Object.entries(line.environment).filter(([name]) => name.startsWith("NODE_"));
      const key = JSON.stringify(ofNode);
      const process = lasting.get(key) ?? startLasting(line.environment);
      lasting.set(key, process);
      return process.run(line);
    },
    close() {
      for (const process of lasting.values()) process.end();
    },
  };
}

type LastingCommand = { run(line: Line): Promise<Ran>; end(): void };

function startLasting(env: NodeJS.ProcessEnv): LastingCommand {
  const child = fork(path("./lasting-command.ts"), {
    execArgv: clientFromSource,
    serialization: "advanced",
    env,
    // As for `run`: neither is a terminal.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.stderr?.pipe(process.stderr);
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`The command's process ended with ${code}.`);
  });
  exited.catch(() => {}); // a call reports it
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(line) {
      // A process has one working directory.
      const ran = last.then(async () => {
        child.send(line);
        const [{ code, out, err }] = (await Promise.race([once(child, "message"), exited])) as [Printed];
        return { code, bytes: out, stdout: out.toString(), stderr: err.toString() };
      });
      last = ran.catch(() => undefined);
      return ran;
    },
    end: () => child.disconnect(),
  };
}

const environmentIn = (room: string, environment: Record<string, string> = {}) => ({
  ...plainEnvironment(),
  XDG_CACHE_HOME: join(room, "cache"),
  XDG_CONFIG_HOME: join(room, "config"),
  XDG_DATA_HOME: join(room, "data"),
  ...environment,
});

/** `start` is the arguments to Node.js that start the command. */
export function testCommand(start: readonly string[], room: string): TestCommand {
  const environmentOf = (environment?: Record<string, string>) => environmentIn(room, environment);
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
