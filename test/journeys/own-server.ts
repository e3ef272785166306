import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "@playwright/test";

/** The environment of every server of the journeys. */
export const environment = {
  // Fetched by `npm run models`, not into each run's own folder.
  TINTYPE_MODELS: ".tintype/models",
  TINTYPE_LOG_LEVEL: "warn",
  // Each journey comes from a network of its own (see journey.ts): none uses up another's guest credits.
  TINTYPE_TRUSTED_PROXIES: "127.0.0.1,::1",
};

/** The address of a journey's own server: `place` tells one from another, and is at least 1. */
export const originOf = (place: number): string =>
  `http://localhost:${Number(process.env["TINTYPE_JOURNEYS_PORT"]) + place}`;
/** The data folder of a journey's own server. */
export const dataOf = (name: string): string => join(String(process.env["TINTYPE_JOURNEYS_DATA"]), name);

/** Starts the same build once more, on data of its own, for journeys that change what all callers of a server share. */
export async function startOwnServer(
  name: string,
  {
    origin,
    env = {},
    onOutput,
  }: {
    origin: string;
    env?: Record<string, string> /** Gets what it writes, its log among it. */;
    onOutput?(text: string): void;
  },
): Promise<{ close(): Promise<void> }> {
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    stdio: ["ignore", onOutput ? "pipe" : "ignore", "inherit"],
    env: { ...process.env, ...environment, PORT: new URL(origin).port, TINTYPE_DATA: dataOf(name), ...env },
  });
  server.stdout?.on("data", (text: Buffer) => onOutput?.(String(text)));
  const ended = once(server, "exit");
  await expect(async () => expect((await fetch(`${origin}/readyz`)).ok).toBe(true)).toPass({ timeout: 60_000 });
  return {
    async close() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}
