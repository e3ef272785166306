import { z } from "zod";
import { modes } from "../facts/mode.ts";
import { operationNames } from "../facts/operations/index.ts";
import { billingCycles, currencies, planNames } from "../facts/plan.ts";
import { subscriptionStatuses } from "../facts/subscription.ts";

/** `GET /user-info`: the entity of docs/product.md, and what else the header and the account page need. */
export const userInfo = z.object({
  plan: z.enum(planNames),
  paid_plan: z.enum(planNames).meta({
    description: "The subscription's own plan. It differs from `plan` while a better plan is granted for free.",
  }),
  granted_until: z.iso.datetime().nullable().meta({
    description: "When the plan granted for free ends; null if `plan` is the subscription's.",
  }),
  next_plan: z.enum(planNames).nullable(),
  next_billing_date: z.iso.datetime().nullable(),
  next_billing_cycle: z.enum(billingCycles).nullable().meta({ description: "How `next_plan` will be billed." }),
  next_plan_price: z
    .object({ amount_minor: z.int(), currency: z.enum(currencies) })
    .nullable()
    .meta({ description: "What `next_plan` costs a billing cycle." }),
  can_switch: z.boolean(),
  service_count: z.int().meta({ description: "Credits used in the current period." }),
  limit: z.int().nullable().meta({ description: "Null where credits are counted and not limited." }),
  subscription_id: z.string().nullable(),
  subscription_status: z.enum(subscriptionStatuses).nullable(),
  billing_cycle: z.enum(billingCycles).nullable(),
  renewal_date: z.iso.datetime().nullable(),
  keep_until: z.iso.datetime().nullable().meta({
    description:
      "The deadline for `POST /keep-plan` to undo a scheduled cancellation or change; null if nothing is scheduled.",
  }),
  price: z
    .object({ amount_minor: z.int(), currency: z.enum(currencies) })
    .nullable()
    .meta({ description: "The subscription's renewal price, which may differ from the current list price." }),
  next_price: z
    .object({ amount_minor: z.int(), currency: z.enum(currencies), from: z.iso.datetime() })
    .nullable()
    .meta({ description: "An announced price change: the new price and the first renewal at it." }),
  window: z
    .enum(["ever", "month", "day"])
    .meta({ description: "`ever` while the email address is not verified: these credits do not renew." }),
  resets_at: z.iso.datetime().nullable(),
  must_verify_email: z
    .boolean()
    .meta({ description: "Whether the plan's credits are held until the email address is verified." }),
  fast_lane: z.object({ used: z.int(), limit: z.int() }),
  email: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
});
export type UserInfo = z.infer<typeof userInfo>;

const limitsShape = z.object({
  credits: z.int().nullable(),
  window: z.enum(["ever", "month", "day"]),
  fastLanePerDay: z.int(),
  filesPerBatch: z.int(),
  megabytesPerFile: z.number(),
  megapixelsIn: z.number(),
  megapixelsOut: z.number(),
});

/** `GET /config`: what the web app, built once for all deployments, must know of this deployment and this caller. */
export const publicConfig = z.object({
  mode: z.enum(modes).meta({ description: "`private`: nothing is sold, and work is not limited by credits." }),
  version: z
    .string()
    .meta({ description: "The server's release. Within one release the same request returns the same bytes." }),
  identity: z.discriminatedUnion("provider", [
    z.object({
      provider: z.literal("built-in"),
      google: z.boolean(),
      password_min_length: z.int(),
      second_factor: z
        .boolean()
        .meta({ description: "Whether passkeys, authenticator apps and the list of sessions are available." }),
    }),
    z.object({
      provider: z.literal("firebase"),
      google: z.boolean(),
      options: z.object({
        apiKey: z.string(),
        authDomain: z.string(),
        projectId: z.string(),
        appId: z.string().optional(),
      }),
      emulator_url: z.string().optional(),
    }),
  ]),
  access: z.object({
    guests: z.boolean().meta({ description: "Whether people can use the service without signing in." }),
    sign_up: z.enum(["open", "invite", "domain", "closed"]).meta({
      description: "Who can create an account: anyone, the invited, people with an address in `domains`, or no one.",
    }),
    domains: z.array(z.string()),
    invitation: z
      .object({
        email: z.string().nullable().meta({ description: "The only address that can accept it." }),
        is_set_up: z.boolean().meta({ description: "Whether it makes the owner of a fresh installation." }),
      })
      .nullable()
      .meta({ description: "The invitation whose link this browser has opened, while it can be accepted." }),
  }),
  tier: z.enum(["guest", ...planNames]),
  limits: limitsShape,
  usage: z.object({ used: z.int(), limit: z.int().nullable() }).meta({
    description:
      "The caller's credits; the limit is 0 where guests cannot use the service, and null where there is none.",
  }),
  url_input: z.boolean().meta({ description: "Whether the server accepts `image_url`." }),
  webhooks: z.boolean().meta({ description: "Whether the server sends webhooks." }),
  payments: z
    .object({ gateway: z.literal("razorpay"), test_mode: z.boolean(), checkout_script: z.string() })
    .nullable()
    .meta({ description: "Null where nothing is sold." }),
});
export type PublicConfig = z.infer<typeof publicConfig>;

export const serviceCount = z.object({ service_count: z.int() });
/** At most as many files as the largest plan's batch. */
export const serviceUseMultiple = z.object({ file_count: z.int().min(1).max(200) });
export const sourceFormat = z.object({ source_format: z.string() });

/** A line of the credit history. A run is one line, however many files it had and whatever was refunded later. */
export const creditLine = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  operation: z.enum(operationNames).nullable(),
  change: z
    .enum(["charged", "reserved", "lapsed", "carried", "adjusted"])
    .meta({ description: "`adjusted`: the operator added or removed credits." }),
  files: z.int().meta({ description: "The number of files of the run; 0 for an entry that is not a run." }),
  file: z.string().nullable().meta({ description: "The file's name, if the run had one file and it is still stored." }),
  credits: z.int().meta({ description: "The change in credits used, without refunded credits." }),
  given_back: z.int().meta({ description: "Credits refunded for the run." }),
  reason: z.string().nullable().meta({
    description: "Why they were. `continued`: a further step on a result, which cost nothing.",
  }),
});
export type CreditLine = z.infer<typeof creditLine>;
export const page = z.object({
  before: z.string().optional().meta({ description: "The `next` of the previous page." }),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const creditHistory = z.object({ lines: z.array(creditLine), next: z.string().nullable() });

export const deleteAccount = z.object({ email: z.string().min(1) });
export const contactForm = z.object({
  name: z.string().max(200),
  email: z.string().max(320),
  message: z.string().max(10_000),
  /** Honeypot: people do not see this field, so only bots fill it in. */
  website: z.string().max(1000).optional(),
});
export type ContactForm = z.infer<typeof contactForm>;
