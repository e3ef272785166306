import { z } from "zod";
export type RazorpayHttpOptions = {
    /** Asked for at each call: the sandbox's address is only known once the server listens. */
    baseUrl(): string;
    keyId: string;
    keySecret: string;
    timeoutMs?: number;
};
type Call = {
    method: "GET" | "POST";
    path: string;
    query?: Record<string, string | number>;
    body?: unknown;
    headers?: Record<string, string>;
};
export type RazorpayHttp = {
    /** @throws GatewayError */
    call<T extends z.ZodType>(schema: T, call: Call): Promise<z.infer<T>>;
};
/** Razorpay's way over HTTP: basic auth, JSON, errors with a code and a description. */
export declare function createRazorpayHttp({ baseUrl, keyId, keySecret, timeoutMs, }: RazorpayHttpOptions): RazorpayHttp;
/** Undefined where it is none. */
export declare function parseJson(text: string): unknown;
export {};
