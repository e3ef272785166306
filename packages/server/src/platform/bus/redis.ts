import { type RedisLink, withinMs } from "../redis.ts";
import type { Bus } from "./bus.ts";

const prefix = "tintype:bus:";
const askMs = 2_000;
/** A caller that watches a job polls its row too, so it does not wait for an unavailable bus. */
const subscribeMs = 1_000;

/** Messages between processes over Redis pub/sub. A message reaches only the subscribers of its channel. */
export function createRedisBus({ redis }: { redis: RedisLink }): Bus {
  const receivers = new Map<string, Set<(message: string) => void>>();
  const subscriptions = redis.open();
  subscriptions.on("message", (channel, message) => {
    for (const receive of [...(receivers.get(channel) ?? [])]) receive(message);
  });
  /** Per channel, in order: an unsubscribe and a subscribe at the same time do not overtake each other. */
  const requests = new Map<string, Promise<unknown>>();
  const request = (channel: string, ask: () => Promise<unknown>) => {
    const asked = (requests.get(channel) ?? Promise.resolve()).then(ask).catch(() => {}); // Redis went away for good: closed
    requests.set(channel, asked);
    return asked.finally(() => {
      if (requests.get(channel) === asked) requests.delete(channel);
    });
  };
  return {
    publish(channel, message) {
      redis.ask(askMs, (shared) => shared.publish(prefix + channel, message)).catch(() => {}); // best effort
    },
    async subscribe(name, receive) {
      const channel = prefix + name;
      // A distinct function per call: the same `receive` may subscribe twice.
      const receiver = (message: string) => receive(message);
      const ofChannel = receivers.get(channel) ?? new Set();
      receivers.set(channel, ofChannel.add(receiver));
      const asked = request(channel, () => subscriptions.subscribe(channel));
      await withinMs(subscribeMs, asked).catch(() => {}); // once Redis is back, messages arrive
      return () => {
        ofChannel.delete(receiver);
        if (ofChannel.size > 0 || receivers.get(channel) !== ofChannel) return;
        receivers.delete(channel);
        void request(channel, async () => receivers.has(channel) || subscriptions.unsubscribe(channel));
      };
    },
    async close() {
      receivers.clear();
      subscriptions.disconnect();
    },
  };
}
