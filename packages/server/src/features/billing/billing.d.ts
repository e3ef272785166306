import { type Currency } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Mount } from "../../http/endpoint.ts";
import type { Mail } from "../../platform/mail.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type Selling } from "./session.ts";
export type BillingDependencies = Selling & {
    ledger: Ledger;
    mail: Mail;
    /** In which currency somebody pays, by where they are. */
    currencyFor(request: FastifyRequest): Currency;
};
export type Billing = {
    /** Deals with events, looks at what is due, sends refunds and mails. One at a time: a second call waits for the first. */
    sweep(): Promise<void>;
    /** Tells the gateway of ends that have come. */
    tellEnds(): Promise<void>;
    close(): Promise<void>;
};
/** Plans and payments: every route of it, and the work behind them. */
export declare function mountBilling(mount: Mount, app: FastifyInstance, use: BillingDependencies): Promise<Billing>;
