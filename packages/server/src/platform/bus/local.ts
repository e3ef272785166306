import { EventEmitter } from "node:events";
import type { Bus } from "./bus.ts";

/** Messages within one process. */
export function createLocalBus(): Bus {
  const channels = new EventEmitter().setMaxListeners(0);
  return {
    publish(channel, message) {
      // Asynchronous, like the bus across processes: a publisher never runs a receiver's code.
      if (channels.listenerCount(channel) > 0) queueMicrotask(() => channels.emit(channel, message));
    },
    async subscribe(channel, receive) {
      // A distinct function per call: the same `receive` may subscribe twice.
      const receiver = (message: string) => receive(message);
      channels.on(channel, receiver);
      return () => channels.off(channel, receiver);
    },
    async close() {
      channels.removeAllListeners();
    },
  };
}
