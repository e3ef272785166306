/** A port of 127.0.0.1 that nothing listens on. */
export declare const freePort: () => Promise<number>;
