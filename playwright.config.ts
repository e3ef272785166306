import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { makeCompileCache } from "./packages/server/src/testing/compile-cache.ts";
import { freePort } from "./packages/server/src/testing/free-port.ts";
import { environment } from "./test/journeys/own-server.ts";

/**
 * Journeys in a real browser against the built site (`npm run build` first) on a server of their own. Playwright reads
 * this file again in each worker: what must be one for all of them is handed on by the environment.
 */
async function once(name: string, make: () => string | number | Promise<number>): Promise<string> {
  process.env[name] ??= String(await make());
  return process.env[name];
}

const port = await once("TINTYPE_JOURNEYS_PORT", freePort);
// Servers and engines of the journeys then start in half the CPU time.
process.once("exit", makeCompileCache());
/** The port of the stand-in for Google. */
const googlePort = await once("TINTYPE_JOURNEYS_GOOGLE_PORT", freePort);
const data = await once("TINTYPE_JOURNEYS_DATA", () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-journeys-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
});

/** Chromium without its windows and menus, which it draws even where nobody sees them, for a third of its CPU time. */
const withoutWindows = "/usr/bin/chromium-headless-shell";
const browser = process.env["CHROMIUM"] ?? (existsSync(withoutWindows) ? withoutWindows : "/usr/bin/chromium");

export default defineConfig({
  testDir: "test/journeys",
  outputDir: "test-results",
  // A journey waits for the server as long as it works itself: two at a time leave neither core idle.
  workers: 2,
  // For machines that have something else to do as well.
  timeout: 480_000,
  expect: { timeout: 120_000 },
  reporter: "line",
  forbidOnly: true,
  use: {
    baseURL: `http://localhost:${port}`,
    // Of the two widths that everything is built for; journeys narrow it to the other one.
    viewport: { width: 1440, height: 900 },
    // A trace of each step takes a fifth of the time: `npx playwright test --trace retain-on-failure` by hand.
    trace: "off",
    // The journeys look at what the server sends; app.spec.ts has a worker.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: browser,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "node test/journeys/serve.ts",
    url: `http://localhost:${port}/readyz`,
    timeout: 240_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: {
      PORT: port,
      TINTYPE_DATA: data,
      ...environment,
      // A server of the journeys hands out pictures.
      TINTYPE_URL_INPUT: "on",
      TINTYPE_URL_ALLOW: "127.0.0.1/32",
      TINTYPE_JOURNEYS_GOOGLE_PORT: googlePort,
      GOOGLE_CLIENT_ID: "journeys",
      GOOGLE_CLIENT_SECRET: "a secret for tests",
      GOOGLE_DISCOVERY_URL: `http://localhost:${googlePort}/.well-known/openid-configuration`,
    },
  },
});
