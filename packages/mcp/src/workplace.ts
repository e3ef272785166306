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

/** Everything that the tools of one process share. */
export type Workplace = {
  folders: AllowedFolders;
  backend: Backend;
  /** This computer's own engine, for previews. */
  engine: Backend;
  cache: Cache;
  /** Of a connection over stdio. Over HTTP each session has its own. */
  cap: CreditCap;
  hands: number;
  /** The account; undefined where nothing is counted. */
  account: Account | undefined;
  close(): Promise<void>;
};

/** A crash of a decoder ends an engine's process: with two hands, engines never work in this one. */
const fewestHands = 2;
const mostHands = 4;

export async function openWorkplace({ folders, server, mostCredits }: Omit<McpConfig, "http">): Promise<Workplace> {
  const hands = Math.min(mostHands, Math.max(fewestHands, availableParallelism()));
  const kept = openCache(await cacheFolder());
  const engine = openOffline({ hands, networks: openNetworks(personalFolders().networks) });
  const backend = server ? openServer(server) : engine;
  return {
    folders: await allowFolders(folders),
    backend,
    engine,
    hands,
    // Files that an earlier call wrote are not replaced either.
    cache: { ...kept, hasWritten: async () => false },
    cap: createCreditCap(mostCredits),
    account: server && openAccount(server),
    async close() {
      await Promise.all([...new Set([backend, engine])].map((one) => one.close()));
      await kept.close();
    },
  };
}
