import { addCycles, currencies } from "@tintype/contract";
import {
  GatewayError,
  type GatewayInvoice,
  type GatewayPayment,
  type GatewaySubscription,
  type PaymentGateway,
} from "../../platform/payments/gateway.ts";
import { type ApplyDependencies, applyEvent } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { type FetchedPayment, paymentsOf } from "./store.ts";
import { isOverAtGateway, type Subscription, stopToSend } from "./subscription.ts";

export type ReconcileDependencies = ApplyDependencies & {
  gateway: PaymentGateway;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
};

/**
 * Fetches a subscription's state from the gateway, and applies it. Checkout, webhooks, polls and the clock all go through
 * here: none is trusted more than another.
 * @throws GatewayError; then nothing was changed
 */
export async function reconcile(
  dependencies: ReconcileDependencies,
  subscription: Subscription,
  /** Payments named by a checkout or an event, which may be on no invoice. */
  { paymentIds = [] }: { paymentIds?: readonly string[] } = {},
): Promise<Subscription[]> {
  const { gateway, clock, db, log } = dependencies;
  const { id: subscriptionId, gatewayId } = subscription;
  if (gatewayId === null) return [];
  // Taken before the request, so that an event that arrives meanwhile counts as newer.
  const at = clock.now();
  const fetched = await gateway.fetchSubscription(gatewayId);
  const { move, gatewayPlanId } = subscription;
  const isOurPlan = fetched.planId === gatewayPlanId || fetched.planId === move?.gatewayPlanId;
  if (!isOurPlan || fetched.notes[ourNote] !== subscriptionId) {
    log.error({ subscription: subscriptionId, gatewayId }, "the gateway's subscription is not the one we created");
    await writeAudit(db, { at, kind: "foreign-subscription", subscriptionId, detail: { gatewayId } });
    return [];
  }
  const payments = await fetchPayments(dependencies, { subscription, fetched, paymentIds });
  const after = await applyEvent(dependencies, {
    subscriptionId,
    event: {
      kind: "seen",
      at,
      status: fetched.status,
      payments,
      planId: fetched.hasScheduledChange ? undefined : fetched.planId,
    },
  });
  await sendStops(dependencies, after);
  return after;
}

/** The key of the gateway subscription's note that contains our id. */
export const ourNote = "tintype_subscription";

type FetchedSubscription = { subscription: Subscription; fetched: GatewaySubscription; paymentIds: readonly string[] };

async function fetchPayments(
  { gateway, db, log }: ReconcileDependencies,
  target: FetchedSubscription,
): Promise<FetchedPayment[]> {
  const { subscription, fetched, paymentIds } = target;
  const invoices = await gateway.listInvoices(fetched.id);
  const known = new Map((await paymentsOf(db, subscription.id)).map((row) => [row.id, row.status]));
  const named = [...invoices.flatMap(({ paymentId }) => paymentId ?? []), ...paymentIds];
  const newIds = [...new Set(named)].filter(
    (id) => !known.has(id) || known.get(id) === "failed" || paymentIds.includes(id),
  );
  const payments = [
    ...(await Promise.all(newIds.map((id) => knownPayment(gateway, id)))).flat(),
    ...(await failedAttempts(gateway, { fetched, invoices })),
  ];
  return payments.flatMap((payment) => {
    const invoice = invoices.find(({ id, paymentId }) => id === payment.invoiceId || paymentId === payment.id);
    // A payment for another subscription proves nothing here.
    if (!invoice) return [];
    // The card check of a subscription that starts later: the gateway refunds it by itself, and it pays for no period.
    if (subscription.startsAt && !invoice.periodEnd) return [];
    const seen = readPayment(payment, { subscription, fetched, invoice, isTest: gateway.checkout.isTest });
    if (seen?.status === "captured" && seen.coversUntil === null)
      log.error({ subscription: subscription.id, payment: payment.id }, "a payment's amount differs from the price");
    return seen ?? [];
  });
}

/** A subscription that a checkout or an event names may not exist. */
const knownPayment = (gateway: PaymentGateway, id: string): Promise<GatewayPayment[]> =>
  gateway.fetchPayment(id).then(
    (payment) => [payment],
    (problem: unknown) => {
      if (problem instanceof GatewayError && problem.kind === "refused") return [];
      throw problem;
    },
  );

/** Failed attempts to pay what is owed now. */
async function failedAttempts(
  gateway: PaymentGateway,
  { fetched, invoices }: { fetched: GatewaySubscription; invoices: readonly GatewayInvoice[] },
): Promise<GatewayPayment[]> {
  if (fetched.status !== "pending" && fetched.status !== "halted") return [];
  const orders = invoices.flatMap(({ isPaid, orderId }) => (isPaid || orderId === null ? [] : [orderId]));
  const attempts = await Promise.all(orders.slice(0, 3).map((orderId) => gateway.listOrderPayments(orderId)));
  return attempts.flat().filter(({ status }) => status === "failed");
}

function readPayment(
  payment: GatewayPayment,
  context: { subscription: Subscription; fetched: GatewaySubscription; invoice: GatewayInvoice; isTest: boolean },
): FetchedPayment | undefined {
  const { id, at, amountMinor } = payment;
  const currency = currencies.find((one) => one === payment.currency);
  // Authorized but not captured yet. The gateway sends another event once it is.
  const { status } = payment;
  if (!currency || status === "created" || status === "authorized") return undefined;
  const { subscription } = context;
  // Around a change of price, a charge at either price may be learned of late.
  const amounts = [subscription.amountMinor, subscription.formerAmountMinor, subscription.move?.amountMinor];
  const isRight = amounts.includes(amountMinor) && currency === subscription.currency;
  const isWorth = status !== "failed" && isRight;
  const coversUntil = isWorth ? coveredUntil(payment, context) : null;
  return {
    id,
    at,
    amountMinor,
    currency,
    status,
    isTest: context.isTest,
    coversFrom: isWorth ? (context.invoice.periodStart ?? at) : null,
    coversUntil,
  };
}

/** The end of the period that a payment pays for. */
const coveredUntil = (
  { at }: GatewayPayment,
  {
    subscription,
    fetched,
    invoice,
  }: { subscription: Subscription; fetched: GatewaySubscription; invoice: GatewayInvoice },
): Date => invoice.periodEnd ?? fetched.currentEnd ?? addCycles(at, { cycle: subscription.cycle });

/**
 * Sends our stops to the gateway. A failure is only logged: the row keeps what is still to be sent, and the next poll retries it.
 */
export async function sendStops(
  dependencies: ReconcileDependencies,
  subscriptions: readonly Subscription[],
): Promise<void> {
  for (const subscription of subscriptions) {
    const what = stopToSend(subscription, dependencies.clock.now());
    if (!what || subscription.gatewayId === null) continue;
    try {
      await sendStop(dependencies, { id: subscription.id, gatewayId: subscription.gatewayId, what });
    } catch (problem) {
      if (!(problem instanceof GatewayError)) throw problem;
      dependencies.log.warn({ err: problem, subscription: subscription.id }, "cannot cancel at the gateway yet");
    }
  }
}

async function sendStop(
  dependencies: ReconcileDependencies,
  { id: subscriptionId, gatewayId, what }: { id: string; gatewayId: string; what: "at-end" | "now" },
): Promise<void> {
  const { gateway, clock } = dependencies;
  const isRefused = (problem: unknown) => {
    if (problem instanceof GatewayError && problem.kind === "refused") return true;
    throw problem;
  };
  const cancelled = (when: "now" | "cycle-end") =>
    gateway.cancelSubscription(gatewayId, when).then(
      () => true,
      (problem: unknown) => !isRefused(problem),
    );
  // Without a running cycle it cannot end with one. The end we promised is in our own row.
  const isDone = (what === "at-end" && (await cancelled("cycle-end"))) || (await cancelled("now"));
  const at = clock.now();
  const { status } = await gateway.fetchSubscription(gatewayId);
  if (!isDone && !isOverAtGateway(status))
    throw new GatewayError("unavailable", `${gatewayId} is ${status} and cannot be cancelled`);
  await applyEvent(dependencies, { subscriptionId, event: { kind: "stop-sent", sentStop: what } });
  await applyEvent(dependencies, { subscriptionId, event: { kind: "seen", at, status, payments: [] } });
}
