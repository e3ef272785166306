import { DomainError } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { planStateOf } from "./plan-state.ts";
import { type ReconcileDependencies, reconcile, sendStops } from "./reconcile.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf } from "./subscription.ts";

/**
 * Cancels at the end of the paid period, along with any scheduled change, and returns that date. Repeated calls return the
 * same. The gateway is told shortly before that end, since it cannot undo a cancellation.
 * @throws not-found when it is not a running subscription of this person
 */
export async function cancelSubscription(
  dependencies: ReconcileDependencies,
  {
    accountId,
    gatewayId,
    also,
  }: {
    accountId: string;
    gatewayId: string;
    /** Runs in the same transaction, if there is something to cancel. */
    also?: (tx: Transaction) => Promise<void>;
  },
): Promise<Date> {
  const { db, clock, log } = dependencies;
  const named = (await subscriptionsOf(db, accountId)).find((one) => one.gatewayId === gatewayId);
  // The end may have moved since the last poll, but cancelling must work while the gateway is down.
  if (named)
    await reconcile(dependencies, named).catch((problem: unknown) =>
      log.warn({ err: problem }, "cancelling without the gateway"),
    );

  const { end, after } = await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const now = clock.now();
    const { current, next } = planStateOf(await subscriptionsOf(tx, accountId));
    const isRunning = [current, next].some((one) => one?.gatewayId === gatewayId);
    if (!isRunning) return { end: undefined, after: [] };
    const stop = { reason: "cancelled", at: now, endsBy: null, refundsFrom: null } as const;
    let changed = await subscriptionsOf(tx, accountId);
    for (const one of [current, next])
      if (one) changed = await applyIn(tx, dependencies, { subscriptionId: one.id, event: { kind: "stop", stop } });
    await also?.(tx);
    const stopped = changed.find(({ id }) => id === (current ?? next)?.id);
    return { end: (stopped && endOf(stopped)) ?? now, after: changed };
  });
  if (!end) {
    await writeAudit(db, { at: clock.now(), kind: "cancel-refused", accountId, detail: { gatewayId } });
    throw new DomainError("not-found", { detail: "There is no active subscription with this ID." });
  }
  await sendStops(dependencies, after);
  return end;
}
