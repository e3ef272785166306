// For scripts that inspect the built site: starts its own server on a free port, with its own data.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../packages/server/src/testing/free-port.ts";

const root = join(import.meta.dirname, "..");

/**
 * Returns `{ origin, data, stop }`, `data` being the data folder. If `running` names a server, returns that one,
 * without `data`. `settings` are environment variables of the server.
 */
export async function startSite(running, settings = {}) {
  if (running) return { origin: running.replace(/\/$/, ""), stop: async () => {} };
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), "tintype-site-"));
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      TINTYPE_DATA: data,
      TINTYPE_MODELS: process.env.TINTYPE_MODELS ?? resolve(root, ".tintype/models"),
      TINTYPE_LOG_LEVEL: "error",
      ...settings,
    },
  });
  const origin = `http://localhost:${port}`;
  const stop = async () => {
    server.kill("SIGTERM");
    await new Promise((done) => (server.exitCode === null ? server.once("exit", done) : done()));
    rmSync(data, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 240; tries++) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { origin, data, stop };
    if (server.exitCode !== null) break;
    await sleep(250);
  }
  await stop();
  throw new Error("The server did not get ready");
}
