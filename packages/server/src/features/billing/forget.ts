import { DomainError } from "@tintype/contract";
import { eq } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteMails } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import type { Leaving, LeavingPerson } from "../accounts/leaving.ts";
import { applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { type Reconciling, sendStops } from "./reconcile.ts";
import { subscriptionsOf } from "./store.ts";
import { isOverAtGateway, type Subscription } from "./subscription.ts";
import { auditLines, payments, subscriptions } from "./tables.ts";

/** Billing's part in the end of an account: subscriptions end at once, and bookkeeping stays without a name. */
export const leaveBilling = (use: Reconciling): Leaving => ({
  release: async ({ accountId }) => cancelAtGateway(use, await subscriptionsOf(use.db, accountId)),
  async forget(tx, holder) {
    const stopped = await forget(tx, holder, use);
    // Bought in another tab in the meantime; should the gateway not answer now, the row remembers.
    return () => sendStops(use, stopped);
  },
});

/** @throws unavailable when the gateway cannot be told */
async function cancelAtGateway({ gateway }: Reconciling, all: readonly Subscription[]): Promise<void> {
  for (const { gatewayId, gatewayStatus } of all) {
    if (gatewayId === null || isOverAtGateway(gatewayStatus)) continue;
    try {
      await gateway.cancelSubscription(gatewayId, "now");
    } catch (problem) {
      if (!(problem instanceof GatewayError)) throw problem;
      if (problem.kind === "refused" && (await isOverThere({ gateway }, gatewayId))) continue;
      throw new DomainError("unavailable", {
        detail: "Your subscription could not be cancelled, so nothing was deleted. Please try again shortly.",
        cause: problem,
      });
    }
  }
}

const isOverThere = ({ gateway }: Pick<Reconciling, "gateway">, gatewayId: string): Promise<boolean> =>
  gateway.fetchSubscription(gatewayId).then(
    ({ status }) => isOverAtGateway(status),
    () => false,
  );

/** Answers the subscriptions it has stopped. */
async function forget(tx: Transaction, { accountId, now }: LeavingPerson, use: Reconciling): Promise<Subscription[]> {
  let stopped: Subscription[] = [];
  const stop = { reason: "deleted", at: now, endsBy: now, refundsFrom: null } as const;
  for (const { id, state } of await subscriptionsOf(tx, accountId))
    if (state !== "ended") stopped = await applyIn(tx, use, { subscriptionId: id, event: { kind: "stop", stop } });
  await deleteMails(tx, { accountId });
  for (const table of [subscriptions, payments, auditLines])
    await tx.update(table).set({ accountId: null }).where(eq(table.accountId, accountId));
  await writeAudit(tx, { at: now, kind: "account-deleted" });
  return stopped;
}
