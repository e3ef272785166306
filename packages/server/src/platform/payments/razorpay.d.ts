import type { PaymentGateway } from "./gateway.ts";
import { type RazorpayHttpOptions } from "./razorpay-http.ts";
export type RazorpayOptions = RazorpayHttpOptions & {
    webhookSecret: string;
    /** The checkout's address for browsers. */
    checkoutScript: string;
    /** No money moves: the sandbox, or a test key. */
    isTest: boolean;
};
export declare const razorpayApi = "https://api.razorpay.com/v1";
export declare const razorpayCheckout = "https://checkout.razorpay.com/v1/checkout.js";
/** Razorpay by its REST API, version 1; the sandbox speaks the same. */
export declare function createRazorpay(options: RazorpayOptions): PaymentGateway;
