import type { Bus } from "./bus.ts";

/** Messages inside one process. */
export function createLocalBus(): Bus {
  const receivers = new Map<string, Set<(message: string) => void>>();
  return {
    publish(channel, message) {
      if (!receivers.has(channel)) return;
      // Not within the call: a publisher never runs a receiver's code, as with the bus of many processes.
      queueMicrotask(() => {
        for (const receive of [...(receivers.get(channel) ?? [])]) receive(message);
      });
    },
    async subscribe(channel, receive) {
      // A function of its own for each call: the same `receive` may listen twice.
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
