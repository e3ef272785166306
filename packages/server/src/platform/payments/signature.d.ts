/** Hex HMAC-SHA256, as the gateway signs checkouts and webhooks. */
export declare const signatureOf: (content: string | Buffer, secret: string) => string;
/** The text that a checkout's signature covers. */
export declare const checkoutContent: ({ paymentId, subscriptionId }: {
    paymentId: string;
    subscriptionId: string;
}) => string;
/** Compares in constant time: how far a guess was right must not be measurable. */
export declare function isSigned(content: string | Buffer, { signature, secret }: {
    signature: string;
    secret: string;
}): boolean;
