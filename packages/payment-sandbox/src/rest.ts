import { timingSafeEqual } from "node:crypto";
import { addCycles } from "@tintype/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { entityId, type PlanEntity, type PlanOnSale, planEntity, type SandboxSubscription } from "./entities.ts";
import { cancel, changePlan, type Step } from "./lifecycle.ts";
import type { Clock, Store } from "./store.ts";

export type SandboxKeys = { keyId: string; keySecret: string; webhookSecret: string };
type RestOptions = { store: Store; clock: Clock; keys: SandboxKeys; plans: readonly PlanOnSale[] };

/** The gateway's error response: 400, also for unknown ids. */
class Refusal extends Error {
  readonly status: number;
  constructor(description: string, status = 400) {
    super(description);
    this.status = status;
  }
}

const count = z.coerce.number().int().min(1).max(100).default(10);
const page = z.object({
  count,
  skip: z.coerce.number().int().min(0).default(0),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  plan_id: z.string().optional(),
  subscription_id: z.string().optional(),
});
const byId = z.object({ id: z.string() });
export const newSubscription = z.object({
  plan_id: z.string(),
  total_count: z.coerce.number().int().min(1),
  quantity: z.coerce.number().int().min(1).default(1),
  customer_notify: z.union([z.boolean(), z.coerce.number()]).default(1),
  start_at: z.coerce.number().int().optional(),
  expire_by: z.coerce.number().int().optional(),
  notes: z.record(z.string(), z.coerce.string()).default({}),
});

const update = z.object({
  plan_id: z.string(),
  schedule_change_at: z.enum(["now", "cycle_end"]).default("now"),
  customer_notify: z.union([z.boolean(), z.coerce.number()]).optional(),
});

const newRefund = z.object({ amount: z.coerce.number().int().min(100).optional() });

const unknownId = "The id provided does not exist";
const isYes = (value: unknown) => value === true || value === 1 || value === "1" || value === "true";
const collection = (items: readonly object[]) => ({ entity: "collection", count: items.length, items });
const paged = (items: readonly object[], { count, skip }: { count: number; skip: number }) =>
  collection(items.slice(skip, skip + count));

/** The subscription endpoints of the gateway's REST API, below `/v1`, for callers with the key secret. */
export function mountRest(scope: FastifyInstance, { store, clock, keys, plans }: RestOptions): void {
  const planEntities = plans.map(planEntity);
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);
  const id = (request: FastifyRequest) => byId.parse(request.params).id;
  const known = <T>(found: T | undefined): T => {
    if (found === undefined) throw new Refusal(unknownId);
    return found;
  };
  /** Changes a subscription, and returns it. */
  const change = async (request: FastifyRequest, decide: (subscription: SandboxSubscription) => Step | string) => {
    const done = known(await store.change(id(request), decide));
    if (typeof done === "string") throw new Refusal(done);
    return done.subscription.entity;
  };
  const route = (
    method: "GET" | "POST" | "PATCH",
    path: string,
    respond: (request: FastifyRequest) => Promise<object> | object,
  ) =>
    scope.route({
      method,
      url: path,
      config: { rateLimit: false },
      async handler(request, reply) {
        checkKey(request, keys);
        return reply.header("cache-control", "no-store").send(await respond(request));
      },
    });
  scope.setErrorHandler((thrown, _request, reply) => sendRefusal(reply, thrown));
  scope.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, new Refusal("The requested URL was not found on the server.", 404)),
  );

  route("GET", "/plans", ({ query }) => paged(planEntities, page.parse(query)));
  route("GET", "/plans/:id", (request) => known(planEntities.find((plan) => plan.id === id(request))));

  route("POST", "/subscriptions", async ({ body }) => {
    const subscription = makeSubscription(newSubscription.parse(body ?? {}), {
      plans: planEntities,
      now: nowSeconds(),
    });
    await store.add(subscription);
    return subscription.entity;
  });
  route("GET", "/subscriptions", async ({ query }) => {
    const { plan_id, ...range } = page.parse(query);
    const all = await store.list("subscription", range);
    return paged(
      all.map(({ entity }) => entity).filter((entity) => plan_id === undefined || entity.plan_id === plan_id),
      range,
    );
  });
  route("GET", "/subscriptions/:id", async (request) => known(await store.find("subscription", id(request))).entity);
  route("PATCH", "/subscriptions/:id", async (request) => {
    const { plan_id, schedule_change_at } = update.parse(request.body ?? {});
    const plan = known(planEntities.find((one) => one.id === plan_id));
    if (schedule_change_at === "now") throw new Refusal("The sandbox changes plans at cycle_end only.");
    const { amount, currency } = plan.item;
    return change(request, (subscription) =>
      changePlan(subscription, { newPlan: { id: plan.id, amount, currency, period: plan.period }, now: nowSeconds() }),
    );
  });
  route("GET", "/subscriptions/:id/retrieve_scheduled_changes", async (request) => {
    const { entity, nextPlan } = known(await store.find("subscription", id(request)));
    if (!nextPlan) throw new Refusal("No scheduled changes are pending for this subscription.");
    return { ...entity, plan_id: nextPlan.id };
  });
  route("POST", "/subscriptions/:id/cancel", async (request) => {
    const { cancel_at_cycle_end } = z.object({ cancel_at_cycle_end: z.unknown().optional() }).parse(request.body ?? {});
    return change(request, (subscription) =>
      cancel(subscription, { atCycleEnd: isYes(cancel_at_cycle_end), now: nowSeconds() }),
    );
  });

  route("GET", "/invoices", async ({ query }) => {
    const { subscription_id, ...range } = page.parse(query);
    return paged(await store.list("invoice", { parent: subscription_id }), range);
  });
  route("GET", "/invoices/:id", async (request) => known(await store.find("invoice", id(request))));
  route("GET", "/payments", async ({ query }) => {
    const range = page.parse(query);
    return paged(await store.list("payment", range), range);
  });
  route("GET", "/payments/:id", async (request) => known(await store.find("payment", id(request))));
  route("POST", "/payments/:id/refund", async (request) => {
    const { amount } = newRefund.parse(request.body ?? {});
    const key = request.headers["x-refund-idempotency"];
    const refund = known(await store.refund(id(request), { amount, key: typeof key === "string" ? key : undefined }));
    if (typeof refund === "string") throw new Refusal(refund);
    return refund;
  });
  route("GET", "/orders/:id/payments", async (request) => {
    const payments = await store.list("payment", {});
    return collection(payments.filter(({ order_id }) => order_id === id(request)));
  });
}

export function makeSubscription(
  fields: z.infer<typeof newSubscription>,
  { plans, now }: { plans: readonly PlanEntity[]; now: number },
): SandboxSubscription {
  const plan = plans.find(({ id }) => id === fields.plan_id);
  if (!plan) throw new Refusal(unknownId);
  if (fields.start_at !== undefined && fields.start_at <= now)
    throw new Refusal("start_at cannot be lesser than the current time.");
  if (fields.expire_by !== undefined && fields.expire_by <= now)
    throw new Refusal("expire_by should be greater than the current time.");
  const { amount, currency } = plan.item;
  const startAt = fields.start_at ?? null;
  const end = addCycles(new Date((startAt ?? now) * 1000), { cycle: plan.period, count: fields.total_count });
  return {
    entity: {
      id: entityId("sub"),
      entity: "subscription",
      plan_id: plan.id,
      customer_id: null,
      status: "created",
      current_start: null,
      current_end: null,
      ended_at: null,
      quantity: fields.quantity,
      notes: Object.keys(fields.notes).length === 0 ? [] : fields.notes,
      charge_at: startAt,
      start_at: startAt,
      end_at: end.getTime() / 1000,
      auth_attempts: 0,
      total_count: fields.total_count,
      paid_count: 0,
      customer_notify: isYes(fields.customer_notify),
      created_at: now,
      expire_by: fields.expire_by ?? null,
      short_url: null,
      has_scheduled_changes: false,
      change_scheduled_at: null,
      source: "api",
      payment_method: null,
      offer_id: null,
      remaining_count: fields.total_count,
    },
    plan: { amount: amount * fields.quantity, currency, period: plan.period },
    startsLater: startAt !== null,
    card: null,
    cancelsAtEnd: false,
    cycles: 0,
    attempts: 0,
    retryAt: null,
    openInvoice: null,
  };
}

function checkKey({ headers }: FastifyRequest, { keyId, keySecret }: SandboxKeys): void {
  const given = Buffer.from(headers.authorization ?? "");
  const expected = Buffer.from(`Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal("Authentication failed", 401);
}

function sendRefusal(reply: FastifyReply, thrown: unknown): FastifyReply {
  const isOurs = !(thrown instanceof Refusal || thrown instanceof z.ZodError);
  const description =
    thrown instanceof Refusal
      ? thrown.message
      : thrown instanceof z.ZodError
        ? `The ${thrown.issues[0]?.path.join(".") ?? "request"} field is invalid.`
        : "We are facing some trouble completing your request at the moment. Please try again shortly.";
  if (isOurs) reply.log.error({ err: thrown }, "payment sandbox failed");
  return reply.code(thrown instanceof Refusal ? thrown.status : isOurs ? 500 : 400).send({
    error: {
      code: isOurs ? "SERVER_ERROR" : "BAD_REQUEST_ERROR",
      description,
      source: "business",
      step: "payment_initiation",
      reason: isOurs ? "server_error" : "input_validation_failed",
      metadata: {},
    },
  });
}
