import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { DomainError } from "@tintype/contract";
import {
  type Backend,
  type Cache,
  type Networks,
  openCache,
  openNetworks,
  openOffline,
  personalFolders,
  readCount,
  readSettings,
  type Settings,
  usableFolder,
} from "@tintype/toolkit";
import { keyOf, readCredentials } from "./credentials.ts";
import type { RunFlags } from "./flags.ts";

/** The parts that a command works with: its settings, its place of work and its cache. */
export type Session = {
  settings: Settings;
  hands: number;
  backend: Backend;
  cache: Cache;
  networks: Networks;
  close(): Promise<void>;
};

/** The settings of file, environment and flags; the address of the server is that of `login`, where none is named. */
export async function settingsFor(flags: RunFlags): Promise<Settings> {
  const settings = await readSettings(process.cwd(), process.env);
  const { server } = await readCredentials();
  const named = flags.server ?? settings.server ?? server;
  return {
    ...settings,
    ...(flags.out === undefined ? {} : { out: flags.out }),
    ...(flags.suffix === undefined ? {} : { suffix: flags.suffix }),
    ...(flags.concurrency === undefined ? {} : { concurrency: readCount(flags.concurrency, "concurrency") }),
    server: named === undefined ? undefined : readAddress(named),
  };
}

/** An origin, such as `https://tintype.example`. @throws invalid-request */
function readAddress(text: string): string {
  const url = URL.parse?.(text) ?? parseUrl(text);
  if (url && (url.protocol === "https:" || url.protocol === "http:")) return url.origin;
  throw new DomainError("invalid-request", {
    detail: `Please give the server as an address such as https://tintype.example, not ${JSON.stringify(text)}.`,
    field: "server",
  });
}

/** `URL.parse` is younger than Node 20. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

type Opening = {
  /** How many pictures there are: one needs no other process. */
  pictures: number;
};

/** @throws invalid-request, unauthorized for a server without a key */
export async function openSession(flags: RunFlags, { pictures }: Opening): Promise<Session> {
  if (flags.server !== undefined && flags.offline)
    throw new DomainError("invalid-request", { detail: "Please give --server or --offline, one of the two." });
  const settings = await settingsFor(flags);
  const folders = personalFolders({ cache: settings.cache && resolve(settings.cache) });
  const networks = openNetworks(folders.networks);
  const cache = openCache(await usableFolder(folders.cache));
  const { server } = settings;
  const origin = flags.offline ? undefined : server;
  const most = settings.concurrency ?? (origin === undefined ? availableParallelism() : 4);
  const hands = Math.max(1, Math.min(most, pictures));
  const backend =
    origin === undefined
      ? openOffline({ hands, networks, recipes: settings.recipes })
      : await openServerBackend(origin, settings);
  return {
    ...{ settings, hands, backend, networks },
    cache: flags.cache === false ? withoutResults(cache) : cache,
    async close() {
      await backend.close();
      await cache.close();
    },
  };
}

/** Own results are still known: a watched folder would be worked on forever. */
const withoutResults = (cache: Cache): Cache => ({
  ...cache,
  async find(key) {
    const kept = await cache.find(key);
    return kept?.kind === "own" ? kept : undefined;
  },
});

async function openServerBackend(origin: string, { recipes }: Settings): Promise<Backend> {
  const key = await keyOf(origin);
  const { openServer } = await import("@tintype/toolkit/server"); // 30 ms that work on this computer need not wait
  return openServer({ origin, key, recipes });
}
