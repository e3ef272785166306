import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "@playwright/test";

/** Environment variables of all servers of the journeys. */
export const environment = {
  // Downloaded by `npm run models`, and not into a new folder for each run.
  TINTYPE_MODELS: ".tintype/models",
  TINTYPE_LOG_LEVEL: "warn",
  // Each journey has its own client address (see journey.ts), so that none uses up another's guest credits.
  TINTYPE_TRUSTED_PROXIES: "127.0.0.1,::1",
};

/** The origin of a journey's own server. `place` is its port offset, at least 1. */
export const originOf = (place: number): string =>
  `http://localhost:${Number(process.env["TINTYPE_JOURNEYS_PORT"]) + place}`;
/** The data folder of a journey's own server. */
export const dataOf = (name: string): string => join(String(process.env["TINTYPE_JOURNEYS_DATA"]), name);

/** Starts another server of the same build with separate data, for journeys that change what all users of a server share. */
export async function startOwnServer(
  name: string,
  {
    origin,
    env = {},
    onOutput,
  }: {
    origin: string;
    env?: Record<string, string>;
    /** Receives the server's output, including its log. */
    onOutput?(text: string): void;
  },
): Promise<{ close(): Promise<void> }> {
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    stdio: ["ignore", onOutput ? "pipe" : "ignore", "inherit"],
    env: { ...process.env, ...environment, PORT: new URL(origin).port, TINTYPE_DATA: dataOf(name), ...env },
  });
  server.stdout?.on("data", (text: Buffer) => onOutput?.(String(text)));
  const ended = once(server, "exit");
  const close = async () => {
    server.kill("SIGTERM");
    await ended;
  };
  try {
    await expect(async () => expect((await fetch(`${origin}/readyz`)).ok).toBe(true)).toPass({ timeout: 240_000 });
  } catch (problem) {
    await close();
    throw problem;
  }
  return { close };
}
