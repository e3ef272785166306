import { DomainError, formatDay, planLabels } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyIn } from "./apply.ts";
import { type PlanState, planStateOf } from "./plan-state.ts";
import { type ReconcileDependencies, sendStops } from "./reconcile.ts";
import { subscriptionsOf } from "./store.ts";
import { endOf, keepableUntil } from "./subscription.ts";

/**
 * Undoes a cancellation or a scheduled change. Does nothing if there is neither.
 * @throws conflict when no plan is left to keep, or its end is too near to undo
 */
export async function keepPlan(
  dependencies: ReconcileDependencies,
  accountId: string,
  /** Runs in the same transaction, if there is something to undo. */
  also?: (tx: Transaction) => Promise<void>,
): Promise<PlanState> {
  const after = await dependencies.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const now = dependencies.clock.now();
    const all = await subscriptionsOf(tx, accountId);
    const { current, next } = planStateOf(all);
    if (!current) throw new DomainError("conflict", { detail: "You have no plan that is about to end." });
    if (!current.stop) return all;
    const until = keepableUntil(current);
    if (!until || until <= now)
      throw new DomainError("conflict", {
        detail: `${planLabels[current.plan]} ends on ${formatDay(endOf(current) ?? now)}, and that can no longer be undone. Choose a plan again after that.`,
      });
    await also?.(tx);
    const stop = { reason: "abandoned", at: now, endsBy: null, refundsFrom: null } as const;
    if (next) await applyIn(tx, dependencies, { subscriptionId: next.id, event: { kind: "stop", stop } });
    return applyIn(tx, dependencies, { subscriptionId: current.id, event: { kind: "resume" } });
  });
  await sendStops(dependencies, after);
  return planStateOf(after);
}
