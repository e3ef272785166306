import { DomainError } from "@tintype/contract";
import { eq } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteMails } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import type { AccountRemoval, RemovedPerson } from "../accounts/account-removal.ts";
import { applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { type ReconcileDependencies, sendStops } from "./reconcile.ts";
import { subscriptionsOf } from "./store.ts";
import { isOverAtGateway, type Subscription } from "./subscription.ts";
import { auditLines, payments, subscriptions } from "./tables.ts";

/** Billing's part in an account's deletion: subscriptions end at once, and payment records stay without a name. */
export const removeAccountFromBilling = (dependencies: ReconcileDependencies): AccountRemoval => ({
  release: async ({ accountId }) => cancelAtGateway(dependencies, await subscriptionsOf(dependencies.db, accountId)),
  async forget(tx, holder) {
    const stopped = await forget(tx, holder, dependencies);
    // Stops a subscription bought in another tab meanwhile. If the gateway does not respond now, the row keeps the stop for a retry.
    return () => sendStops(dependencies, stopped);
  },
});

/** @throws unavailable if the gateway does not answer */
async function cancelAtGateway({ gateway }: ReconcileDependencies, all: readonly Subscription[]): Promise<void> {
  for (const { gatewayId, gatewayStatus } of all) {
    if (gatewayId === null || isOverAtGateway(gatewayStatus)) continue;
    try {
      await gateway.cancelSubscription(gatewayId, "now");
    } catch (problem) {
      if (!(problem instanceof GatewayError)) throw problem;
      if (problem.kind === "refused" && (await hasEndedAtGateway({ gateway }, gatewayId))) continue;
      throw new DomainError("unavailable", {
        detail: "Your subscription could not be cancelled, so nothing was deleted. Please try again shortly.",
        cause: problem,
      });
    }
  }
}

const hasEndedAtGateway = ({ gateway }: Pick<ReconcileDependencies, "gateway">, gatewayId: string): Promise<boolean> =>
  gateway.fetchSubscription(gatewayId).then(
    ({ status }) => isOverAtGateway(status),
    () => false,
  );

/** Returns the subscriptions it has stopped. */
async function forget(
  tx: Transaction,
  { accountId, now }: RemovedPerson,
  dependencies: ReconcileDependencies,
): Promise<Subscription[]> {
  let stopped: Subscription[] = [];
  const stop = { reason: "deleted", at: now, endsBy: now, refundsFrom: null } as const;
  for (const { id, state } of await subscriptionsOf(tx, accountId))
    if (state !== "ended")
      stopped = await applyIn(tx, dependencies, { subscriptionId: id, event: { kind: "stop", stop } });
  await deleteMails(tx, { accountId });
  for (const table of [subscriptions, payments, auditLines])
    await tx.update(table).set({ accountId: null }).where(eq(table.accountId, accountId));
  await writeAudit(tx, { at: now, kind: "account-deleted" });
  return stopped;
}
