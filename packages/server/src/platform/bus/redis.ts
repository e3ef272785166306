import { EventEmitter } from "node:events";
import type { RedisLink } from "../redis.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Bus } from "./bus.ts";

const prefix = "tintype:bus:";
const publishTimeoutMs = 2_000;
/** A caller that watches a job polls its row too, so it does not wait for an unavailable bus. */
const subscribeTimeoutMs = 1_000;

/** Messages between processes over Redis pub/sub. A message reaches only the subscribers of its channel. */
export function createRedisBus({ redis }: { redis: RedisLink }): Bus {
  const receivers = new EventEmitter().setMaxListeners(0);
  const subscriptions = redis.open();
  subscriptions.on("message", (channel, message) => receivers.emit(channel, message));
  /** Per channel, in order: an unsubscribe and a subscribe at the same time do not overtake each other. */
  const requests = new Map<string, Promise<unknown>>();
  const request = (channel: string, command: () => Promise<unknown>) => {
    const queued = (requests.get(channel) ?? Promise.resolve()).then(command).catch(() => {}); // Redis went away for good: closed
    requests.set(channel, queued);
    return queued.finally(() => {
      if (requests.get(channel) === queued) requests.delete(channel);
    });
  };
  return {
    publish(channel, message) {
      redis.execute(publishTimeoutMs, (shared) => shared.publish(prefix + channel, message)).catch(() => {}); // best effort
    },
    async subscribe(name, receive) {
      const channel = prefix + name;
      // A distinct function per call: the same `receive` may subscribe twice.
      const receiver = (message: string) => receive(message);
      receivers.on(channel, receiver);
      const queued = request(channel, () => subscriptions.subscribe(channel));
      await withTimeout(subscribeTimeoutMs, queued).catch(() => {}); // once Redis is back, messages arrive
      return () => {
        receivers.off(channel, receiver);
        if (receivers.listenerCount(channel) > 0) return;
        void request(channel, async () => receivers.listenerCount(channel) > 0 || subscriptions.unsubscribe(channel));
      };
    },
    async close() {
      receivers.removeAllListeners();
      subscriptions.disconnect();
    },
  };
}
