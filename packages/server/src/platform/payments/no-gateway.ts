import { GatewayError, type PaymentGateway } from "./gateway.ts";

const refuse = (): Promise<never> =>
  Promise.reject(new GatewayError("unavailable", "nothing is sold here, so there is no payment gateway"));

/** The gateway of an installation that sells nothing. Subscriptions from before stay as they are. */
export const noGateway: PaymentGateway = {
  checkout: { key: "", script: "", isTest: false },
  fetchPlan: refuse,
  createSubscription: refuse,
  fetchSubscription: refuse,
  listSubscriptions: refuse,
  cancelSubscription: refuse,
  changePlanAtCycleEnd: refuse,
  fetchScheduledPlan: refuse,
  fetchInvoice: refuse,
  listInvoices: refuse,
  fetchPayment: refuse,
  listOrderPayments: refuse,
  refundPayment: refuse,
  isCheckoutSigned: () => false,
  readWebhook: () => undefined,
};
