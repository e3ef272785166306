import { DomainError, endpoints } from "@tintype/contract";
import { and, desc, eq, lt } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { creditEntries } from "../../platform/db/tables.ts";
import { claimAnswer, fingerprintOf, keepAnswer, readIdempotencyKey } from "./idempotency.ts";
import type { Ledger } from "./ledger.ts";

type CreditRoutes = { db: Database; clock: Clock; ledger: Ledger };

export function mountCredits(mount: Mount, { db, clock, ledger }: CreditRoutes): void {
  const reserve = async (request: FastifyRequest, caller: Caller, credits: number) => {
    // What a test key does costs nothing, so that there is nothing to set aside.
    if (caller.mode === "test") return { service_count: (await ledger.usage(caller)).used };
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    return db.transaction(async (tx) => {
      const idempotency =
        key === undefined ? undefined : { owner: caller.key, key, fingerprint: fingerprintOf({ reserve: credits }) };
      const kept = idempotency && (await claimAnswer(tx, idempotency, clock.now()));
      if (kept) return kept as { service_count: number }; // written below, and by nobody else under this fingerprint
      const { used } = await ledger.reserve(tx, caller, credits);
      const answer = { service_count: used };
      if (idempotency) await keepAnswer(tx, idempotency, answer);
      return answer;
    });
  };
  mount(endpoints.serviceUse, ({ request, caller }) => reserve(request, caller, 1));
  mount(endpoints.serviceUseMultiple, ({ request, caller, body }) => reserve(request, caller, body.file_count));

  mount(endpoints.creditHistory, async ({ caller, query }) => {
    const before = query.before === undefined ? undefined : readLineId(query.before);
    const rows = await db
      .select()
      .from(creditEntries)
      .where(and(eq(creditEntries.holder, caller.key), before === undefined ? undefined : lt(creditEntries.id, before)))
      .orderBy(desc(creditEntries.id))
      .limit(query.size + 1);
    const shown = rows.slice(0, query.size);
    return { lines: shown.map(lineOf), next: rows.length > query.size ? String(shown.at(-1)?.id) : null };
  });
}

/** @throws invalid-request when it is none of ours */
function readLineId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(id))
    throw new DomainError("invalid-request", {
      field: "before",
      detail: "before: take the `next` of an earlier answer.",
    });
  return id;
}

const changes = {
  charge: "charged",
  "give-back": "given-back",
  reserve: "reserved",
  lapse: "lapsed",
  carry: "carried",
} as const;

const lineOf = (row: typeof creditEntries.$inferSelect) => ({
  id: String(row.id),
  at: row.at.toISOString(),
  operation: row.operation,
  file: row.fileName,
  change: changes[row.kind],
  credits: row.credits,
  reason: row.reason,
});
