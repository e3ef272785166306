import { z } from "zod";
import { type GatewayInvoice, type GatewayPayment, type GatewayPlan, type GatewaySubscription } from "./gateway.ts";
export declare const plan: z.ZodPipe<z.ZodObject<{
    id: z.ZodString;
    period: z.ZodString;
    interval: z.ZodNumber;
    item: z.ZodObject<{
        amount: z.ZodNumber;
        currency: z.ZodString;
    }, z.core.$strip>;
}, z.core.$strip>, z.ZodTransform<GatewayPlan, {
    id: string;
    period: string;
    interval: number;
    item: {
        amount: number;
        currency: string;
    };
}>>;
export declare const subscription: z.ZodPipe<z.ZodObject<{
    id: z.ZodString;
    plan_id: z.ZodString;
    status: z.ZodEnum<{
        active: "active";
        halted: "halted";
        cancelled: "cancelled";
        pending: "pending";
        created: "created";
        authenticated: "authenticated";
        paused: "paused";
        expired: "expired";
        completed: "completed";
    }>;
    current_end: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodNumber>>, z.ZodTransform<Date | null, number | null | undefined>>;
    notes: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodUnion<readonly [z.ZodRecord<z.ZodString, z.ZodUnion<readonly [z.ZodString, z.ZodNumber]>>, z.ZodArray<z.ZodUnknown>]>>>, z.ZodTransform<{
        [k: string]: string;
    }, unknown[] | Record<string, string | number> | null | undefined>>;
}, z.core.$strip>, z.ZodTransform<GatewaySubscription, {
    id: string;
    plan_id: string;
    status: "active" | "halted" | "cancelled" | "pending" | "created" | "authenticated" | "paused" | "expired" | "completed";
    current_end: Date | null;
    notes: {
        [k: string]: string;
    };
}>>;
export declare const invoice: z.ZodPipe<z.ZodObject<{
    id: z.ZodString;
    subscription_id: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    order_id: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    payment_id: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    status: z.ZodString;
    billing_start: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodNumber>>, z.ZodTransform<Date | null, number | null | undefined>>;
    billing_end: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodNumber>>, z.ZodTransform<Date | null, number | null | undefined>>;
}, z.core.$strip>, z.ZodTransform<GatewayInvoice, {
    id: string;
    subscription_id: string | null;
    order_id: string | null;
    payment_id: string | null;
    status: string;
    billing_start: Date | null;
    billing_end: Date | null;
}>>;
export declare const payment: z.ZodPipe<z.ZodObject<{
    id: z.ZodString;
    status: z.ZodEnum<{
        captured: "captured";
        failed: "failed";
        refunded: "refunded";
        created: "created";
        authorized: "authorized";
    }>;
    amount: z.ZodNumber;
    amount_refunded: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
    currency: z.ZodString;
    invoice_id: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    created_at: z.ZodNumber;
}, z.core.$strip>, z.ZodTransform<GatewayPayment, {
    id: string;
    status: "captured" | "failed" | "refunded" | "created" | "authorized";
    amount: number;
    currency: string;
    invoice_id: string | null;
    created_at: number;
    amount_refunded?: number | null | undefined;
}>>;
export declare const listOf: <T extends z.ZodType>(item: T) => z.ZodObject<{
    items: z.ZodArray<T>;
}, z.core.$strip>;
/** Only who it is about is read from a webhook; how things stand is asked. */
export declare const event: z.ZodObject<{
    event: z.ZodString;
    payload: z.ZodDefault<z.ZodObject<{
        subscription: z.ZodOptional<z.ZodObject<{
            entity: z.ZodObject<{
                id: z.ZodString;
            }, z.core.$strip>;
        }, z.core.$strip>>;
        payment: z.ZodOptional<z.ZodObject<{
            entity: z.ZodObject<{
                id: z.ZodString;
            }, z.core.$strip>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
