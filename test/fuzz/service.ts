import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { limits } from "../../packages/contract/src/index.ts";
import type { TestIssuer } from "../../packages/server/src/testing/issuer.ts";

const main = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
/** Of the log, as pino counts: warnings and above. */
const warning = 40;
/** Said at every start of a server like this one. */
const expected = /test mode, no money moves|engine sandbox|The model "|webhook with a wrong signature/;

export type FuzzedService = {
  url: string;
  /** Of somebody who has credits left, if each request uses one. */
  token(request: number): Promise<string>;
  /** Lines of the log that say something went wrong. */
  complaints(): string[];
  memoryMb(): { server: number; tree: number };
  stop(): Promise<void>;
};

/** The whole service as `npm start` has it, in a process of its own, on an embedded database below `folder`. */
export async function startService({ folder, issuer }: { folder: string; issuer: TestIssuer }): Promise<FuzzedService> {
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
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
    },
  });
  const complaints = new Map<string, string>();
  const ready = Promise.withResolvers<void>();
  createInterface(child.stdout).on("line", (line) => {
    if (line.includes("Tintype is ready")) ready.resolve();
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as { level: number; msg?: string };
    // Once each: a thousand of one kind are one thing to mend.
    if (said.level >= warning && !expected.test(said.msg ?? "") && !complaints.has(said.msg ?? line))
      complaints.set(said.msg ?? line, line);
  });
  // However this process ends, the server does not outlive it.
  process.once("exit", () => child.kill("SIGKILL"));
  const exited = once(child, "exit").then(() => ready.reject(new Error("The server ended.")));
  exited.catch(() => {});
  await ready.promise;

  const tokens = new Map<number, Promise<string>>();
  const pid = child.pid ?? 0;
  return {
    url: `http://localhost:${port}`,
    token(request) {
      const person = Math.floor(request / (limits.hobby.credits / 5));
      const found =
        tokens.get(person) ?? issuer.token(`caller-${person}`, { exp: Math.floor(Date.now() / 1000) + 86_400 });
      tokens.set(person, found);
      return found;
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  await new Promise((done) => server.close(done));
  return port;
}
