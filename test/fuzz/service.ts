import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { limits } from "../../packages/contract/src/index.ts";
import { builtInOf, testPassword } from "../../packages/server/src/testing/built-in.ts";
import { freePort } from "../../packages/server/src/testing/free-port.ts";

const main = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
/** Requests per session of the identity provider. Some of them may end it. */
const sessionRequests = 200;
/** pino's log levels. */
const warning = 40;
const error = 50;
/** Messages logged at every start of such a server, or in response to the fuzzed requests. */
const expected =
  /test mode, no money moves|engine sandbox|The model "|webhook has an invalid signature|sign-in with Google was requested|MAIL|a webhook was not taken|could not be sent to its address/;
/** Removing backgrounds needs model weights, which are not downloaded for this test. */
const isWithoutModel = /This tool is unavailable right now/;
/** The identity provider logs a warning for every rejected request. */
const isRefusal = ({ level, msg = "" }: LogLine) => level < error && msg.startsWith("identity provider: ");
type LogLine = { level: number; msg?: string };

export type FuzzedService = {
  url: string;
  /** A token of a person who still has credits if each request uses one, and the IP address they call from. */
  caller(request: number): Promise<{ token: string; address: string }>;
  /** The same with a session of the identity provider, which fuzzed requests may end. */
  visitor(request: number): Promise<{ token: string; address: string }>;
  /** Log lines that report a problem. */
  complaints(): string[];
  memoryMb(): { server: number; tree: number };
  stop(): Promise<void>;
};

/** Starts the whole service as `npm start` does, in a separate process, with an embedded database in `folder`. */
export async function startService({ folder }: { folder: string }): Promise<FuzzedService> {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      TINTYPE_DATA: folder,
      TINTYPE_SITE: "false",
      TINTYPE_ENGINES: "2",
      TINTYPE_LOG_LEVEL: "warn",
      RATE_LIMIT_PER_MINUTE: "1000000",
      TINTYPE_URL_INPUT: "on",
      // Per-network limits would end a run from a single address, so each caller has a different one.
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1,::1",
    },
  });
  const complaints = new Map<string, string>();
  const ready = Promise.withResolvers<void>();
  createInterface(child.stdout).on("line", (line) => {
    if (line.includes("Tintype is ready")) ready.resolve();
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as LogLine;
    const isExpected = expected.test(said.msg ?? "") || isRefusal(said) || isWithoutModel.test(line);
    // Each message is kept once: a thousand of a kind are one thing to fix.
    if (said.level >= warning && !isExpected && !complaints.has(said.msg ?? line))
      complaints.set(said.msg ?? line, line);
  });
  // Kill the server even if this process ends unexpectedly.
  process.once("exit", () => child.kill("SIGKILL"));
  const exited = once(child, "exit").then(() => ready.reject(new Error("The server ended.")));
  exited.catch(() => {});
  await ready.promise;

  const url = `http://localhost:${port}`;
  const pid = child.pid ?? 0;
  const provider = builtInOf({ baseUrl: url }, url);
  const people = new Map<string, Promise<string>>();
  const signUp = async (name: string) => {
    const { session } = await provider.signUp(`${name}@example.com`, { password: testPassword });
    if (!session) throw new Error(`${name} could not be signed up.`);
    return session;
  };
  const remember = (name: string, make: () => Promise<string>) => {
    const known = people.get(name) ?? make();
    people.set(name, known);
    return known;
  };
  /** A different network for each person, none of which other tests use. */
  const addressOf = (person: number, kind: number) =>
    `10.${kind + (Math.floor(person / 65_536) % 100)}.${Math.floor(person / 256) % 256}.${person % 256}`;
  return {
    url,
    async caller(request) {
      const person = Math.floor(request / (limits.hobby.credits / 5));
      const name = `caller-${person}`;
      const token = await remember(name, async () => provider.token(await signUp(name)));
      return { token, address: addressOf(person, 100) };
    },
    async visitor(request) {
      const person = Math.floor(request / sessionRequests);
      const name = `visitor-${person}`;
      return { token: await remember(name, () => signUp(name)), address: addressOf(request, 1) };
    },
    complaints: () => [...complaints.values()],
    memoryMb: () => ({ server: residentMb(pid), tree: treeOf(pid).reduce((sum, one) => sum + residentMb(one), 0) }),
    async stop() {
      child.kill("SIGTERM");
      await exited.catch(() => {});
    },
  };
}

function residentMb(pid: number): number {
  try {
    return Math.round((Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 1e6);
  } catch {
    return 0;
  }
}

function treeOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return [pid, ...children.flatMap(treeOf)];
  } catch {
    return [pid];
  }
}
