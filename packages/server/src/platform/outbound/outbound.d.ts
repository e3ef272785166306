import type { Readable } from "node:stream";
export type OutboundOptions = {
    /** CIDR blocks of addresses inside that the operator allows; none by default. */
    allow: readonly string[];
    /** Resolves a name to its addresses; the system's resolver by default. */
    lookup?: (hostname: string) => Promise<readonly string[]>;
};
export type OutboundRequest = {
    method: "GET" | "POST" | "PUT";
    headers?: Record<string, string>;
    body?: Buffer | Readable;
    /** Redirects that a GET follows; others never send their body to a second address. */
    maxRedirects?: number;
    /** Of the whole: every hop, the answer's last byte included. */
    timeoutMs?: number;
    signal?: AbortSignal;
};
export type OutboundAnswer = {
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Readable;
};
/**
 * Requests to addresses that callers name. The check runs when a socket is opened, on the literal or on the one resolved
 * address that the socket then uses: a second answer of the resolver never counts, and each redirect is checked again.
 */
export type Outbound = {
    /**
     * @throws url-refused for whatever is wrong with the address or the server behind it. One sentence for all causes: the
     *   answer must not tell whether something listens inside. The cause is for the log.
     */
    send(url: string, request: OutboundRequest): Promise<OutboundAnswer>;
    close(): Promise<void>;
};
/** @throws Error naming a block of `allow` that is none */
export declare function createOutbound({ allow, lookup }: OutboundOptions): Outbound;
