import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { type Billing } from "../features/billing/billing.ts";
import { type Contact } from "../features/contact/contact.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import type { UrlUse } from "../features/images/url-input.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import { type Metrics } from "../http/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import type { Mail } from "../platform/mail.ts";
import type { Outbox } from "../platform/mail-outbox.ts";
import type { Links } from "./links.ts";
import { type choosePayments, type PaymentsChoice } from "./payments.ts";
import type { Stores } from "./stores.ts";
export type Api = {
    app: FastifyInstance;
    payments: PaymentsChoice;
    billing: Billing;
    contact: Contact;
    /** Undefined if the operator allows no addresses. */
    urls: UrlUse | undefined;
};
type ApiDependencies = {
    config: Config;
    logger: FastifyBaseLogger;
    clock: Clock;
    stores: Stores;
    links: Links;
    ledger: Ledger;
    jobs: Jobs;
    mail: Mail;
    outbox: Outbox;
    verifiesAddresses: boolean;
    metrics: Metrics;
    isStopping(): boolean;
    openPayments: ReturnType<typeof choosePayments>;
};
/** Builds the server that answers people: every route of the API, the identity provider and the site. */
export declare function createApi({ config, logger, clock, ledger, jobs, mail, metrics, ...use }: ApiDependencies): Promise<Api>;
export {};
