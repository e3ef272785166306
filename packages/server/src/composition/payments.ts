import { type PublicConfig, planLabels, priceOfPlan } from "@tintype/contract";
import { createSandbox, type PlanOnSale, type Sandbox, sandboxKeys, sandboxPath } from "@tintype/payment-sandbox";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import { GatewayError, type PaymentGateway } from "../platform/payments/gateway.ts";
import { noGateway } from "../platform/payments/no-gateway.ts";
import {
  checkPlans,
  offerKey,
  offersSold,
  type PlanIds,
  type PlanOffer,
  readPlanIds,
} from "../platform/payments/plan-ids.ts";
import { createRazorpay, razorpayApi, razorpayCheckout } from "../platform/payments/razorpay.ts";
import { sandboxRecordStore } from "../platform/payments/sandbox-records.ts";

export type PaymentsChoice = {
  gateway: PaymentGateway;
  planIds: PlanIds;
  /** Set if the sandbox is the gateway. */
  sandbox?: Sandbox;
  settings: PublicConfig["payments"];
  /** Origins that the pages may load the checkout from. */
  allowed: { scripts: string[]; connections: string[]; frames: string[] };
  /** @throws Error if the gateway's plans differ from the price table; GatewayError if it does not respond */
  checkPlans(): Promise<void>;
};

type Dependencies = {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** The address of this server, once it listens. */
  ownUrl(): string;
  webhookPath: string;
};

const nothingSold: PaymentsChoice = {
  gateway: noGateway,
  planIds: new Map(),
  settings: null,
  allowed: { scripts: [], connections: [], frames: [] },
  checkPlans: async () => {},
};

/**
 * Chooses the gateway: none in private mode, Razorpay if its keys are configured, otherwise our sandbox. Returns a function that opens it.
 * @throws Error when the configuration is ambiguous
 */
export function choosePayments(config: Config): (dependencies: Dependencies) => PaymentsChoice {
  if (config.TINTYPE_MODE === "private") return () => nothingSold;
  const kind = config.PAYMENTS ?? (config.RAZORPAY_KEY_ID ? "razorpay" : "sandbox");
  if (kind === "razorpay") {
    const chosen = chooseRazorpay(config);
    return () => chosen;
  }
  const reason = reasonToSell(config);
  if (reason && config.PAYMENTS !== "sandbox")
    throw new Error(
      `No Razorpay keys are set, and the payment sandbox gives plans away for test cards, so it does not start by itself with ${reason}. Set RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET, or PAYMENTS=sandbox to use it anyway.`,
    );
  return (dependencies) => openSandbox(config, dependencies);
}

/** The setting through which others than this machine's user can reach the server; undefined if there is none. */
function reasonToSell({ isProduction, origin, HOST }: Config): string | undefined {
  if (isProduction) return "NODE_ENV=production";
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:" || !isLoopbackHost(hostname)) return `TINTYPE_ORIGIN=${origin}`;
  if (!isLoopbackHost(HOST)) return `HOST=${HOST}`;
  return undefined;
}

function chooseRazorpay(config: Config): PaymentsChoice {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret, RAZORPAY_WEBHOOK_SECRET: webhookSecret } = config;
  if (!keyId || !keySecret || !webhookSecret)
    throw new Error("Razorpay requires RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET.");
  const gateway = createRazorpay({
    baseUrl: () => razorpayApi,
    keyId,
    keySecret,
    webhookSecret,
    checkoutScript: razorpayCheckout,
    isTest: keyId.startsWith("rzp_test_"),
  });
  return choice(gateway, {
    planIds: readPlanIds(config.RAZORPAY_PLANS ?? []),
    // The script is served from one origin, its frame and calls from the other.
    allowed: {
      scripts: ["https://checkout.razorpay.com"],
      connections: ["https://api.razorpay.com", "https://checkout.razorpay.com"],
      frames: ["https://api.razorpay.com", "https://checkout.razorpay.com"],
    },
  });
}

/** As at the gateway, another price means another plan. */
const sandboxPlanId = (offer: PlanOffer) => `plan_${offer.plan}${offer.cycle}${offer.currency}${priceOfPlan(offer)}`;
/** The sandbox sells exactly the price table. */
const plansOnSale = (name: string): PlanOnSale[] =>
  offersSold().map((offer) => ({
    id: sandboxPlanId(offer),
    name: `${name} ${planLabels[offer.plan]}`,
    period: offer.cycle,
    amountMinor: priceOfPlan(offer),
    currency: offer.currency,
  }));

function openSandbox(config: Config, { db, clock, log, ownUrl, webhookPath }: Dependencies): PaymentsChoice {
  const keys = sandboxKeys(config.keys.paymentSandbox);
  const sandbox = createSandbox({
    records: sandboxRecordStore(db),
    clock,
    plans: plansOnSale(config.brand.name),
    keys,
    log,
    webhookUrl: () => ownUrl() + webhookPath,
  });
  const gateway = createRazorpay({
    ...keys,
    baseUrl: () => `${ownUrl()}${sandboxPath}/v1`,
    checkoutScript: `${sandboxPath}/checkout.js`,
    isTest: true,
  });
  log.warn("payments: test mode, no money moves (set RAZORPAY_KEY_ID for the real gateway)");
  return {
    ...choice(gateway, {
      planIds: new Map(offersSold().map((offer) => [offerKey(offer), sandboxPlanId(offer)])),
      allowed: { scripts: [], connections: [], frames: ["'self'"] },
    }),
    sandbox,
  };
}

function choice(
  gateway: PaymentGateway,
  { planIds, allowed }: Pick<PaymentsChoice, "planIds" | "allowed">,
): PaymentsChoice {
  let isChecked = false;
  return {
    gateway,
    planIds,
    allowed,
    settings: {
      gateway: "razorpay",
      test_mode: gateway.checkout.isTest,
      checkout_script: gateway.checkout.script,
    },
    async checkPlans() {
      if (isChecked) return;
      const wrong = await checkPlans(gateway, planIds);
      if (wrong.length > 0) throw new Error(`The gateway's plans do not match the plans on sale.\n${wrong.join("\n")}`);
      isChecked = true;
    },
  };
}

/**
 * Checks the plans at startup: plans with a wrong price must never be sold, so the server does not start with them. It
 * does start if the gateway does not respond; then the first sale checks.
 * @throws Error naming each plan that is wrong
 */
export async function checkPlansAtStart(
  { sandbox, checkPlans }: PaymentsChoice,
  log: FastifyBaseLogger,
): Promise<void> {
  // The sandbox responds only once the server listens. Its plans come from the price table.
  if (sandbox) return;
  try {
    await checkPlans();
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem;
    log.warn({ err: problem }, "payments: cannot check the gateway's plans yet");
  }
}

/** The address of a listening server, from this machine. */
export function listeningUrl(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new GatewayError("unavailable", "the server does not listen yet");
  const host = address.address === "::" ? "[::1]" : address.address === "0.0.0.0" ? "127.0.0.1" : address.address;
  return `http://${address.family === "IPv6" && !host.startsWith("[") ? `[${host}]` : host}:${address.port}`;
}
