import { DomainError, formatDay, planLabels } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyIn } from "./apply.ts";
import { type Reconciling, sendStops } from "./reconcile.ts";
import { type Standing, standingOf } from "./standing.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf, keepableUntil } from "./subscription.ts";

/**
 * Takes back a cancellation, or a change that was to come. If neither exists,
 * nothing happens.
 * @throws conflict when no plan is left to keep, or its end is too near to take back
 */
export async function keepPlan(
  use: Reconciling,
  accountId: string,
  /** Done in the same transaction, where there is something to take back. */
  also?: (tx: Transaction) => Promise<void>,
): Promise<Standing> {
  const after = await use.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const now = use.clock.now();
    const all = await subscriptionsOf(tx, accountId);
    const { current, next } = standingOf(all);
    if (!current) throw new DomainError("conflict", { detail: "You have no plan that is about to end." });
    if (!current.stop) return all;
    const until = keepableUntil(current);
    if (!until || until <= now)
      throw new DomainError("conflict", {
        detail: `${planLabels[current.plan]} ends on ${formatDay(endOf(current) ?? now)}, and that can no longer be undone. Choose a plan again after that.`,
      });
    await also?.(tx);
    const stop = { reason: "abandoned", at: now, endsBy: null, refundsFrom: null } as const;
    if (next) await applyIn(tx, use, { subscriptionId: next.id, event: { kind: "stop", stop } });
    return applyIn(tx, use, { subscriptionId: current.id, event: { kind: "resume" } });
  });
  await sendStops(use, after);
  return standingOf(after);
}
