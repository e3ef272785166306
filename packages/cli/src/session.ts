import { availableParallelism } from "node:os";
import { DomainError } from "@tintype/contract";
import {
  type Backend,
  type Cache,
  cacheFolder,
  type Networks,
  openCache,
  openNetworks,
  openOffline,
  personalFolders,
  plain,
  readCount,
  readServerAddress,
  readSettings,
  readSuffix,
  type Settings,
} from "@tintype/toolkit";
import { keyOf, readCredentials } from "./credentials.ts";
import type { RunFlags } from "./operation-flags.ts";
import { printWarning } from "./output.ts";

/** What a command works with: its settings, its backend and its cache. */
export type Session = {
  settings: Settings;
  concurrency: number;
  /** Pictures per call to a server. */
  together: number;
  backend: Backend;
  cache: Cache;
  networks: Networks;
  close(): Promise<void>;
};

/** Settings from file, environment and flags. The server's origin is from the flag, the environment, or `login`. */
export async function settingsFor(flags: RunFlags): Promise<Settings> {
  const settings = await readSettings(process.cwd(), process.env);
  const { server: signedIn } = await readCredentials();
  const server = flags.server ?? settings.server ?? signedIn;
  const isNamed = flags.server !== undefined || settings.server === undefined;
  return {
    ...settings,
    ...(flags.out === undefined ? {} : { out: flags.out }),
    ...(flags.suffix === undefined ? {} : { suffix: readSuffix(flags.suffix) }),
    ...(flags.concurrency === undefined ? {} : { concurrency: readCount(flags.concurrency, "concurrency") }),
    server: server === undefined ? undefined : readServerAddress(server, { isNamed }),
  };
}

type SessionOptions = {
  /** The number of pictures: a single one needs no other process. */
  pictures: number;
};

/** @throws invalid-request, unauthorized for a server without a key */
export async function openSession(flags: RunFlags, { pictures }: SessionOptions): Promise<Session> {
  if (flags.server !== undefined && flags.offline)
    throw new DomainError("invalid-request", { detail: "Use either --server or --offline, not both." });
  const settings = await settingsFor(flags);
  const networks = openNetworks(personalFolders().networks);
  const cache = openCache(await cacheFolder(settings.cache));
  const { server } = settings;
  const origin = flags.offline ? undefined : server;
  const max = settings.concurrency ?? (origin === undefined ? availableParallelism() : 8);
  const concurrency = Math.max(1, Math.min(max, pictures));
  const backend =
    origin === undefined
      ? openOffline({ concurrency, networks, recipes: settings.recipes })
      : await openServerBackend(origin, settings);
  return {
    settings,
    concurrency,
    backend,
    networks,
    // Two batches are in flight at a time.
    together: settings.concurrency === undefined ? Number.POSITIVE_INFINITY : Math.floor(settings.concurrency / 2),
    cache: flags.cache === false ? withoutResults(cache) : cache,
    async close() {
      await backend.close();
      await cache.close();
    },
  };
}

/** Still recognizes its own results: otherwise watch mode would process its own output forever. */
const withoutResults = (cache: Cache): Cache => ({
  ...cache,
  async find(key) {
    const kept = await cache.find(key);
    return kept?.kind === "own" ? kept : undefined;
  },
});

async function openServerBackend(origin: string, { recipes }: Settings): Promise<Backend> {
  const key = await keyOf(origin);
  // Takes 30 ms, which work on this computer need not wait for.
  const { checkServer, openServer } = await import("@tintype/toolkit/server");
  await checkServer(origin, printWarning);
  return openServer({ origin, key, recipes, onWait: reportWaits() });
}

/** Shorter waits, as after a broken connection, are not reported. */
const minReportedMs = 2_000;

/** Reports that the server asks to wait, once for all files that wait together. */
function reportWaits() {
  let untilMs = 0;
  return ({ waitMs, reason }: { waitMs: number; reason: string }) => {
    const now = performance.now();
    if (waitMs < minReportedMs || now < untilMs) return;
    untilMs = now + waitMs;
    const clear = process.stderr.isTTY ? "\r\u001B[K" : ""; // erases a progress bar on this line
    process.stderr.write(`${clear}${plain(reason)} Waiting ${Math.ceil(waitMs / 1000)} s, then it goes on.\n`);
  };
}
