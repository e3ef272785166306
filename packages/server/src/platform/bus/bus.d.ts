/**
 * Short messages to everybody who listens on a channel, in every process: progress of a job, a wish to cancel it.
 * Delivery is best effort. A listener that must not miss anything reads the row again every second or two.
 */
export type Bus = {
    /** Never throws: a message that cannot be sent is lost. Messages of one sender on one channel keep their order. */
    publish(channel: string, message: string): void;
    /** Resolves once messages published from now on arrive. `receive` does not throw. The answer stops listening. */
    subscribe(channel: string, receive: (message: string) => void): Promise<() => void>;
    close(): Promise<void>;
};
