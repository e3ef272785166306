/**
 * Short messages to all subscribers of a channel, in every process: a job's progress, a request to cancel it. Delivery is
 * best effort: a listener that must not miss anything polls the row every second or two.
 */
export type Bus = {
  /** Never throws: a message that cannot be sent is lost. Messages of one sender on one channel keep their order. */
  publish(channel: string, message: string): void;
  /** Resolves once messages published from now on will arrive. `receive` must not throw. Returns a function that unsubscribes. */
  subscribe(channel: string, receive: (message: string) => void): Promise<() => void>;
  close(): Promise<void>;
};
