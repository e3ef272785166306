import { availableParallelism } from "node:os";
import {
  type Backend,
  type Cache,
  cacheFolder,
  openCache,
  openNetworks,
  openOffline,
  personalFolders,
} from "@tintype/toolkit";
import { type Account, openAccount, openServer } from "@tintype/toolkit/server";
import { type AllowedFolders, allowFolders } from "./allowed-folders.ts";
import type { McpConfig } from "./config.ts";
import { type CreditCap, createCreditCap } from "./credit-cap.ts";

/** What the tools of one process share. */
export type Workspace = {
  folders: AllowedFolders;
  backend: Backend;
  /** This computer's own engine, for previews. */
  engine: Backend;
  cache: Cache;
  /** For a connection over stdio. Over HTTP each session has its own. */
  cap: CreditCap;
  concurrency: number;
  /** The account; undefined where credits are not counted. */
  account: Account | undefined;
  close(): Promise<void>;
};

/** A decoder crash kills its engine's process: with a concurrency of at least two, engines never run in this process. */
const minConcurrency = 2;
const maxConcurrency = 4;

export async function openWorkspace({ folders, server, maxCredits }: Omit<McpConfig, "http">): Promise<Workspace> {
  const concurrency = Math.min(maxConcurrency, Math.max(minConcurrency, availableParallelism()));
  const kept = openCache(await cacheFolder());
  const engine = openOffline({ concurrency, networks: openNetworks(personalFolders().networks) });
  const backend = server ? openServer(server) : engine;
  return {
    folders: await allowFolders(folders),
    backend,
    engine,
    concurrency,
    // Files that an earlier call wrote are not replaced either.
    cache: { ...kept, hasWritten: async () => false },
    cap: createCreditCap(maxCredits),
    account: server && openAccount(server),
    async close() {
      await Promise.all([...new Set([backend, engine])].map((one) => one.close()));
      await kept.close();
    },
  };
}
