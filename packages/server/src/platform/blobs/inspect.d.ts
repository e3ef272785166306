import type { Stored, StoreOptions } from "./blobs.ts";
/** Looks at a stream while it passes: its size, its hash, its first bytes, and whether it is longer than allowed. */
export declare function createInspection({ limitBytes, hash, headBytes }: StoreOptions): {
    /**
     * Passes on what is within the limit. It reads the rest too, which lets the sender hear the answer.
     * @throws too-large at the end, and what the source throws
     */
    pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
    /** Throws again what `pass` threw: it was the sender's fault, and not the store's. */
    throwFailure(): void;
    stored: () => Stored;
};
