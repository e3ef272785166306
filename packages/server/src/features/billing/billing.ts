import { type Currency, DomainError, paymentSheetOf } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Mount } from "../../http/endpoint.ts";
import type { Brand } from "../../platform/brand/brand.ts";
import type { MailOutbox } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { inTurn } from "../../platform/repeat.ts";
import { runForNobody } from "../../platform/request-id.ts";
import type { Ledger } from "../credits/ledger.ts";
import { cancelSubscription } from "./cancel.ts";
import { keepPlan } from "./keep.ts";
import { forgetOld, pollDue, sendDueStops } from "./poll.ts";
import type { PriceMoveDependencies } from "./price-moves.ts";
import { quoteChange } from "./quote.ts";
import { writeReceiptPdf } from "./receipt-pdf.ts";
import { sendRefunds } from "./refunds.ts";
import { openSession } from "./session.ts";
import { pollOpenNow } from "./store.ts";
import { findTransaction, listTransactions } from "./transactions.ts";
import { confirmUpgrade } from "./upgrade.ts";
import { mountUserInfo, nextPlanView, subscriptionView } from "./user-info.ts";
import { handleEvents, mountWebhook } from "./webhook.ts";

export type BillingDependencies = Omit<PriceMoveDependencies, "priceChanges"> & {
  ledger: Ledger;
  brand: Brand;
  outbox: MailOutbox;
  /** The buyer's currency, by country. */
  currencyFor(request: FastifyRequest): Currency;
};

export type Billing = {
  /** Processes events, polls due subscriptions, sends refunds and mails. Calls run one at a time. */
  sweep(): Promise<void>;
  /** Sends due cancellations to the gateway. */
  sendDueStops(): Promise<void>;
  close(): Promise<void>;
};

/** Plans and payments: all routes, and the background work behind them. */
export async function mountBilling(
  mount: Mount,
  app: FastifyInstance,
  dependencies: BillingDependencies,
): Promise<Billing> {
  const { db, clock, log, outbox, gateway } = dependencies;
  mountUserInfo(mount, dependencies);
  mount(endpoints.razorpayKey, async () => ({ key: gateway.checkout.key }));
  mount(endpoints.planChange, async ({ caller, query, request }) => ({
    ways: await quoteChange(dependencies, {
      accountId: caller.accountId,
      plan: query.plan_id,
      cycle: query.billing_cycle,
      currency: dependencies.currencyFor(request),
    }),
  }));
  mount(endpoints.createPaymentSession, async ({ caller, body, request }) => {
    const subscription_id = await orUnavailable(() =>
      openSession(dependencies, {
        accountId: caller.accountId,
        plan: body.plan_id,
        cycle: body.billing_cycle,
        currency: dependencies.currencyFor(request),
        mode: body.mode,
        agreed: body.agreed && {
          chargeTodayMinor: body.agreed.charge_today_minor,
          refundMinor: body.agreed.refund_minor,
          priceMinor: body.agreed.price_minor,
          currency: body.agreed.currency,
        },
      }),
    );
    return { payment_gateway: "razorpay" as const, subscription_id };
  });
  mount(endpoints.upgradePlan, async ({ caller, body }) => {
    const { razorpay_payment_id, razorpay_subscription_id, razorpay_signature } = body;
    const parts = [razorpay_payment_id, razorpay_subscription_id, razorpay_signature];
    if (parts.some((part) => part !== undefined) && parts.some((part) => part === undefined))
      throw new DomainError("invalid-request", { detail: "Send all three fields of the checkout's answer, or none." });
    const [paymentId, subscriptionId, signature] = parts;
    const planState = await orUnavailable(() =>
      confirmUpgrade(dependencies, {
        accountId: caller.accountId,
        plan: body.plan,
        cycle: body.billing_cycle,
        ...(paymentId && subscriptionId && signature ? { signed: { paymentId, subscriptionId, signature } } : {}),
      }),
    );
    return { plan: planState.plan, ...nextPlanView(planState) };
  });
  mount(endpoints.cancelSubscription, async ({ caller, params }) => {
    const end = await cancelSubscription(dependencies, {
      accountId: caller.accountId,
      gatewayId: params.subscription_id,
    });
    return { cancel_at: end.toISOString() };
  });
  mount(endpoints.keepPlan, async ({ caller }) => {
    const planState = await keepPlan(dependencies, caller.accountId);
    return { plan: planState.plan, ...subscriptionView(planState, clock.now()) };
  });
  mount(endpoints.transactions, ({ caller, query }) => listTransactions(db, caller.accountId, query));
  mount(endpoints.transactionPdf, async ({ caller, params, reply }) => {
    const payment = await findTransaction(db, caller.accountId, params.id);
    if (payment.status === "failed") throw new DomainError("not-found");
    const { name, email } = caller;
    const { brand } = dependencies;
    const sheet = paymentSheetOf(payment, {
      product: brand.name,
      seller: brand.legal.entity ?? brand.name,
      address: brand.legal.address,
      buyer: { name, email },
    });
    return reply
      .type("application/pdf")
      .header("content-disposition", `attachment; filename="${brand.fileName}-receipt-${payment.at.slice(0, 10)}.pdf"`)
      .send(await writeReceiptPdf(sheet, { now: clock.now(), brand }));
  });

  let isClosed = false;
  const sweep = inTurn(async () => {
    if (isClosed) return;
    await handleEvents(dependencies);
    await pollDue({ ...dependencies, priceChanges: dependencies.brand.priceChanges });
    await sendRefunds(dependencies);
    await outbox.sendDue();
    await forgetOld(dependencies);
  });
  const run = () =>
    // Other people's events may be processed in the same run.
    void runForNobody(sweep).catch((problem: unknown) => log.error({ err: problem }, "the billing sweep failed"));
  await mountWebhook(app, dependencies, { onEvent: run });
  await pollOpenNow(db, clock.now());
  return {
    sweep,
    sendDueStops: () => sendDueStops(dependencies),
    async close() {
      isClosed = true;
      await sweep().catch(() => {});
    },
  };
}

/** Where nothing is sold, the account has no plan to change. Only its mails remain to be sent. */
export function mountAccountAlone(
  mount: Mount,
  { outbox, ...dependencies }: Pick<BillingDependencies, "db" | "ledger" | "clock" | "outbox">,
): Billing {
  mountUserInfo(mount, dependencies);
  return { sweep: () => outbox.sendDue(), sendDueStops: async () => {}, close: async () => {} };
}

/** A gateway that does not respond is not our error, and the caller can try again. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    if (problem instanceof GatewayError)
      throw new DomainError("unavailable", { cause: problem, retryAfterSeconds: 10 });
    throw problem;
  }
}
