import { type PublicConfig } from "@tintype/contract";
import { type Sandbox } from "@tintype/payment-sandbox";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { type PaymentGateway } from "../platform/payments/gateway.ts";
import { type PlanIds } from "../platform/payments/plan-ids.ts";
export type PaymentsChoice = {
    gateway: PaymentGateway;
    planIds: PlanIds;
    /** Only where it is the gateway. */
    sandbox?: Sandbox;
    settings: PublicConfig["payments"];
    /** Origins that the pages may load the checkout from. */
    allowed: {
        scripts: string[];
        connections: string[];
        frames: string[];
    };
    /** @throws Error where the gateway's plans are not the ones of the price table, GatewayError where it does not answer */
    checkPlans(): Promise<void>;
};
type Dependencies = {
    db: Database;
    clock: Clock;
    log: FastifyBaseLogger;
    /** The address of this very server, once it listens. */
    ownUrl(): string;
    webhookPath: string;
};
/**
 * Chooses the gateway: Razorpay if its keys are configured, else our sandbox. Answers how to begin with it.
 * @throws Error when the configuration does not say it clearly
 */
export declare function choosePayments(config: Config): (dependencies: Dependencies) => PaymentsChoice;
/**
 * At the start: plans with another price must never be sold, and the server does not start with them. A
 * gateway that does not answer is no reason not to; then the first sale checks.
 * @throws Error naming each plan that is wrong
 */
export declare function checkPlansAtStart({ sandbox, checkPlans }: PaymentsChoice, log: FastifyBaseLogger): Promise<void>;
/** The address of a server that listens, from this machine. */
export declare function listeningUrl(app: FastifyInstance): string;
export {};
