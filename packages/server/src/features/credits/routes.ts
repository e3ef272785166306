import { endpoints } from "@tintype/contract/schemas";
import type { FastifyRequest } from "fastify";
import type { Caller, Person } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { listHistory } from "./history.ts";
import { claimResponse, fingerprintOf, keepResponse, readIdempotencyKey } from "./idempotency.ts";
import type { Ledger } from "./ledger.ts";
import { readSpan, readUsage, usageCsv } from "./usage.ts";

type CreditRoutes = {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  /** The prefix of names of downloaded files. */
  fileName: string;
};

export function mountCredits(mount: Mount, { db, clock, ledger, fileName }: CreditRoutes): void {
  const reserve = async (request: FastifyRequest, caller: Caller, credits: number) => {
    // Calls with a test key are free: there is nothing to reserve.
    if (caller.mode === "test") return { service_count: (await ledger.usage(caller)).used };
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    return db.transaction(async (tx) => {
      const idempotency =
        key === undefined ? undefined : { owner: caller.key, key, fingerprint: fingerprintOf({ reserve: credits }) };
      const kept = idempotency && (await claimResponse(tx, idempotency, clock.now()));
      if (kept) return kept as { service_count: number }; // only the lines below write it under this fingerprint
      const { used } = await ledger.reserve(tx, caller, credits);
      const response = { service_count: used };
      if (idempotency) await keepResponse(tx, idempotency, response);
      return response;
    });
  };
  mount(endpoints.serviceUse, ({ request, caller }) => reserve(request, caller, 1));
  mount(endpoints.serviceUseMultiple, ({ request, caller, body }) => reserve(request, caller, body.file_count));

  mount(endpoints.creditHistory, ({ caller, query }) =>
    listHistory(db, { holder: caller.key, before: query.before, size: query.size }),
  );

  const usageOf = ({ key: holder, accountId }: Person, span: Parameters<typeof readSpan>[0]) =>
    readUsage(db, { holder, accountId, ...readSpan(span, { now: clock.now() }) });
  mount(endpoints.usage, ({ caller, query }) => usageOf(caller, query));
  mount(endpoints.usageCsv, async ({ caller, query, reply }) => {
    const usage = await usageOf(caller, query);
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="${fileName}-usage-${usage.from}-${usage.to}.csv"`)
      .send(usageCsv(usage));
  });
}
