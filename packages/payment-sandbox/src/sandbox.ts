import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { mountCheckout } from "./checkout.ts";
import type { PlanOnSale } from "./entities.ts";
import type { RecordStore } from "./record-store.ts";
import { mountRest, type SandboxKeys } from "./rest.ts";
import { type Clock, openStore } from "./store.ts";
import { deliverWebhooks } from "./webhooks.ts";

export type SandboxOptions = {
  records: RecordStore;
  clock: Clock;
  /** The plans for sale. */
  plans: readonly PlanOnSale[];
  keys: SandboxKeys;
  /** The address of webhooks. */
  webhookUrl(): string;
  log: { error(details: object, message: string): void };
};

/** A payment gateway of our own for development, tests and demos: Razorpay's API, without real money. */
export type Sandbox = {
  mount(app: FastifyInstance): Promise<void>;
  /** Catches up with the time since the last call: renewals, expiries, webhooks. */
  advance(): Promise<void>;
  close(): Promise<void>;
};

/** The path under which everything is mounted. */
export const sandboxPath = "/sandbox/razorpay";

/** The keys of this installation, derived from its secret and therefore stable. */
export function sandboxKeys(secret: string): SandboxKeys {
  const part = (name: string) => createHmac("sha256", secret).update(`payment sandbox ${name}`).digest("hex");
  return {
    keyId: `rzp_test_${part("key").slice(0, 14)}`,
    keySecret: part("secret").slice(0, 24),
    webhookSecret: part("webhook").slice(0, 32),
  };
}

export function createSandbox({ records, clock, plans, keys, webhookUrl, log }: SandboxOptions): Sandbox {
  const store = openStore({ records, clock });
  let isClosed = false;
  let delivering: Promise<void> = Promise.resolve();
  const deliver = () => {
    delivering = delivering
      .catch(() => {})
      .then(async () => {
        if (!isClosed) await deliverWebhooks({ store, clock, secret: keys.webhookSecret, url: webhookUrl });
      });
    return delivering;
  };
  return {
    async mount(app) {
      await app.register(
        async (scope) => {
          scope.removeAllContentTypeParsers();
          // Clients send JSON, an empty body, or an empty body declared as a form.
          scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 100_000 }, (_request, body, done) =>
            done(null, parseBody(String(body))),
          );
          await scope.register(async (rest) => mountRest(rest, { store, clock, keys, plans }), { prefix: "/v1" });
          mountCheckout(scope, {
            store,
            clock,
            keys,
            onEvents() {
              deliver().catch((problem: unknown) => log.error({ err: problem }, "payment sandbox: webhooks failed"));
            },
          });
        },
        { prefix: sandboxPath },
      );
    },
    async advance() {
      await store.advance();
      await deliver();
    },
    async close() {
      isClosed = true;
      await delivering.catch(() => {});
    },
  };
}

function parseBody(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
