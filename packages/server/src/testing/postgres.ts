import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

export type TestPostgres = {
  url: string;
  /** Stops it at once, like a crash. `start` brings it back on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A separate PostgreSQL on a free port, in a temporary folder. `settings` are those of postgresql.conf. `npm run verify`
 * installs it if missing.
 * @throws Error when there is none on the machine: a test that needs it must not pass without it
 */
export async function startPostgres(settings: Record<string, string | number | boolean> = {}): Promise<TestPostgres> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), "tintype-postgres-"));
  // PostgreSQL refuses to run as root.
  const account = process.getuid?.() === 0 ? postgresAccount() : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "tintype", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...account,
    stdio: "ignore",
  });
  const port = await freePort();
  const url = `postgres://tintype@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const starting = spawn(
      join(bin, "postgres"),
      [
        ...["-D", data, "-p", String(port), "-k", folder],
        ...Object.entries({ listen_addresses: "127.0.0.1", fsync: false, ...settings }).flatMap(([name, value]) => [
          "-c",
          `${name}=${value}`,
        ]),
      ],
      { ...account, stdio: "ignore" },
    );
    server = starting;
    await answers(url, () => starting.exitCode !== null);
  };
  const stop = async () => {
    const stopping = server;
    server = undefined;
    if (!stopping || stopping.exitCode !== null) return;
    const exited = once(stopping, "exit");
    stopping.kill("SIGQUIT");
    await exited;
  };
  const close = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (problem) {
    await close();
    throw problem;
  }
  return { url, start, stop, close };
}

function findBinaries(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  if (!found) throw new Error("PostgreSQL is not installed; npm run verify installs it where it runs as root.");
  return found;
}

function postgresAccount(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function answers(url: string, hasEnded: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end && !hasEnded(); ) {
    const client = new pg.Client({ connectionString: url });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isUp) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("PostgreSQL did not start.");
}
