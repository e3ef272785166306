import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type Standing } from "./standing.ts";
type UserInfoRoute = {
    db: Database;
    ledger: Ledger;
    clock: Clock;
};
/** `GET /user-info`: the person, their plan and how it goes on, and what is left of it. */
export declare function mountUserInfo(mount: Mount, { db, ledger, clock }: UserInfoRoute): void;
/** The part of a standing that a person sees. README.md has the fields' meaning. */
export declare function subscriptionView(standing: Standing, now: Date): {
    can_switch: boolean;
    subscription_id: string | null;
    subscription_status: "active" | "past_due" | "cancellation_scheduled" | null;
    billing_cycle: "monthly" | "yearly" | null;
    renewal_date: string | null;
    keep_until: string | null;
    next_plan: import("@tintype/contract").PaidPlanName | null;
    next_billing_date: string | null;
};
export declare const nextPlanView: ({ next }: Standing) => {
    next_plan: import("@tintype/contract").PaidPlanName | null;
    next_billing_date: string | null;
};
export {};
