import type { Bus } from "./bus.ts";

/** Messages within one process. */
export function createLocalBus(): Bus {
  const receivers = new Map<string, Set<(message: string) => void>>();
  return {
    publish(channel, message) {
      if (!receivers.has(channel)) return;
      // Asynchronous, like the bus across processes: a publisher never runs a receiver's code.
      queueMicrotask(() => {
        for (const receive of [...(receivers.get(channel) ?? [])]) receive(message);
      });
    },
    async subscribe(channel, receive) {
      // A distinct function per call: the same `receive` may subscribe twice.
      const receiver = (message: string) => receive(message);
      const ofChannel = receivers.get(channel) ?? new Set();
      receivers.set(channel, ofChannel.add(receiver));
      return () => {
        ofChannel.delete(receiver);
        if (ofChannel.size === 0 && receivers.get(channel) === ofChannel) receivers.delete(channel);
      };
    },
    async close() {
      receivers.clear();
    },
  };
}
