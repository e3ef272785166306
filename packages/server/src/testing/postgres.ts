import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

export type TestPostgres = { url: string; close(): Promise<void> };

/**
 * A PostgreSQL of its own on a free port, in a temporary folder. `npm run verify` installs it where it is missing.
 * @throws Error when there is none on the machine: a test that needs it must not pass without it
 */
export async function startPostgres(): Promise<TestPostgres> {
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
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
    { ...account, stdio: "ignore" },
  );
  const url = `postgres://tintype@127.0.0.1:${port}/postgres`;
  const close = async () => {
    const exited = new Promise<void>((done) => server.once("exit", () => done()));
    server.kill("SIGQUIT");
    if (server.exitCode === null) await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(url, () => server.exitCode !== null);
  } catch (problem) {
    await close();
    throw problem;
  }
  return { url, close };
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
