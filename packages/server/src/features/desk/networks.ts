import { type DeskNetwork, DomainError, maxBlockedDays } from "@tintype/contract";
import { dayMs } from "../../platform/clock.ts";
import { invalidCursor, pageOf } from "../../platform/db/page.ts";
import { networkBlockOf } from "../../platform/network.ts";
import { listNetworkUse } from "../credits/networks.ts";
import { blockNetwork, listBlockedNetworks, unblockNetwork } from "../jobs/limits/blocked-networks.ts";
import { type DeskDependencies, note, type OperatorCall } from "./actions.ts";
import type { DeskReadDependencies } from "./people.ts";

type Kind = DeskNetwork["kind"];
type Networks = {
  networks: DeskNetwork[];
  blocked: { key: string; kind: Kind; until: string }[];
  next: string | null;
};

/** Networks by today's use of free credits, most first, and all that are blocked. @throws invalid-request */
export async function listNetworks(
  { db, clock }: DeskReadDependencies,
  { before, size }: { before: string | undefined; size: number },
): Promise<Networks> {
  const now = clock.now();
  const after = before === undefined ? undefined : placeOf(before);
  const rows = await listNetworkUse(db, { now, after, limit: size + 1 });
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ used, key }) => `${used}.${key}` });
  const blocked = await listBlockedNetworks(db, now);
  const until = new Map(blocked.map((one) => [one.key, one.until.toISOString()]));
  return {
    networks: shown.map((row) => ({
      ...row,
      kind: networkBlockOf(row.key).kind,
      blocked_until: until.get(row.key) ?? null,
    })),
    blocked: blocked.map((one) => ({
      key: one.key,
      kind: networkBlockOf(one.key).kind,
      until: one.until.toISOString(),
    })),
    next,
  };
}

function placeOf(before: string): { used: number; key: string } {
  const [, used, key] = /^(\d{1,9})[.](network:[\w.-]{1,150})$/.exec(before) ?? [];
  if (!used || !key) throw invalidCursor();
  return { used: Number(used), key };
}

/** Replaces an existing block of the network. @throws invalid-request */
export async function blockNetworkUntil(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { key, until }: { key: string; until: Date },
): Promise<void> {
  const now = dependencies.clock.now();
  if (until <= now || until.getTime() > now.getTime() + maxBlockedDays * dayMs)
    throw new DomainError("invalid-request", {
      field: "until",
      detail: `A network is blocked for ${maxBlockedDays} days at most, from now on.`,
    });
  await dependencies.db.transaction(async (tx) => {
    const before = await blockNetwork(tx, { key, until, now });
    await note(tx, dependencies, call, {
      action: "network-blocked",
      subject: key,
      before: { blocked_until: before?.toISOString() ?? null },
      after: { blocked_until: until.toISOString() },
    });
  });
}

/** @throws conflict when it is not blocked */
export async function unblock(dependencies: DeskDependencies, call: OperatorCall, key: string): Promise<void> {
  await dependencies.db.transaction(async (tx) => {
    const before = await unblockNetwork(tx, { key, now: dependencies.clock.now() });
    if (!before) throw new DomainError("conflict", { detail: "This network is not blocked." });
    await note(tx, dependencies, call, {
      action: "network-unblocked",
      subject: key,
      before: { blocked_until: before.toISOString() },
      after: { blocked_until: null },
    });
  });
}
