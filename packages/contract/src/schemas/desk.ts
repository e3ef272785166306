import { z } from "zod";
import {
  defaultInvitationDays,
  deliveryKinds,
  deskActions,
  deskJobStates,
  deskRoles,
  maxAdjustedCredits,
  maxInvitationDays,
  peopleOrders,
  type ReportInterval,
} from "../facts/desk.ts";
import { jobStates } from "../facts/job-state.ts";
import { operationNames, taskNames } from "../facts/operations/index.ts";
import { billingCycles, currencies, paidPlanNames, planNames } from "../facts/plan.ts";
import { tierNames } from "../facts/plan-facts.ts";
import { subscriptionStatuses } from "../facts/subscription.ts";
import { creditLine, page, userInfo } from "./account.ts";
import { transaction } from "./billing.ts";
import { exactObject } from "./exact-object.ts";
import { apiKey } from "./key.ts";
import { usageSpan } from "./usage.ts";

const at = z.iso.datetime();

/** The operator's reason, recorded in the audit log. */
const reason = z.string().trim().min(3, "Please enter a reason.").max(500);
export const reasoned = exactObject({ reason });

export const deskOperator = z.object({ role: z.enum(deskRoles), email: z.string() });

export const invite = exactObject({
  email: z.email("Please enter a valid email.").max(320).optional().meta({
    description:
      "The only address that can accept it, which also gets it by mail. Without one, whoever has the link can.",
  }),
  role: z.enum(deskRoles).optional().meta({ description: "Their role at the desk. Without one they get none." }),
  days: z.int().min(1).max(maxInvitationDays).default(defaultInvitationDays),
  reason,
});
const invitation = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: z.enum(deskRoles).nullable(),
  state: z.enum(["open", "used", "revoked", "expired"]),
  created_at: at,
  /** An account, `command`, or `set-up`. */
  created_by: z.string(),
  expires_at: at,
  /** The account that accepted it. */
  account_id: z.string().nullable(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitations = z.object({ invitations: z.array(invitation) });
export const madeInvitation = z.object({
  invitation,
  link: z.string().meta({ description: "Shown only now: the server keeps a hash." }),
  mailed: z.boolean(),
});

export const peopleSearch = page.extend({
  q: z.string().trim().max(320).default("").meta({
    description:
      "An address or a name, or a part of it; or the id of an account, payment, subscription, job or request.",
  }),
  sort: z.enum(peopleOrders).default("newest").meta({ description: "`most-used`: this month's use. Not with `q`." }),
});
const foundPerson = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.string(),
  plan: z.enum(planNames),
  created_at: at,
  blocked_at: at.nullable(),
});
export type FoundPerson = z.infer<typeof foundPerson>;
const listedPerson = foundPerson.extend({
  used: z
    .object({ month: z.int(), total: z.int() })
    .meta({ description: "Credits; in private mode, processed files." }),
});
export type ListedPerson = z.infer<typeof listedPerson>;
export const foundPeople = z.object({
  people: z.array(listedPerson),
  total: z.int().meta({ description: "How many there are on all pages." }),
  next: z.string().nullable(),
});

const deskJob = z.object({
  id: z.string(),
  operation: z.enum(taskNames),
  state: z.enum(jobStates),
  files: z.int(),
  failed_files: z.int(),
  credits: z.int(),
  created_at: at,
  finished_at: at.nullable(),
  codes: z.array(z.string()).meta({ description: "The error codes of the failed files." }),
});
export type DeskJob = z.infer<typeof deskJob>;

const deskMail = z.object({
  kind: z.string(),
  created_at: at,
  state: z.enum(["sent", "waiting", "failed"]).meta({ description: "`failed`: given up after the last attempt." }),
  tries: z.int(),
});
export type DeskMail = z.infer<typeof deskMail>;

const deskSession = z.object({ id: z.string(), browser: z.string().nullable(), created_at: at, seen_at: at });
export type DeskSession = z.infer<typeof deskSession>;

const deskPayment = transaction.extend({
  refund: z.enum(["none", "wanted", "done"]).meta({ description: "`wanted`: on its way to the gateway." }),
});
export type DeskPayment = z.infer<typeof deskPayment>;

const grantedPlan = z.object({ plan: z.enum(paidPlanNames), until: at });
export type DeskGrantedPlan = z.infer<typeof grantedPlan>;

const deskCredits = z.object({
  used: z.int(),
  limit: z.int().nullable(),
  window: z.enum(["ever", "month", "day"]),
  resets_at: at.nullable(),
  grants: z
    .array(
      z.object({
        credits: z.int(),
        left: z.int(),
        until: at.nullable().meta({ description: "Null: until they are spent." }),
      }),
    )
    .meta({ description: "Granted credits that can be spent, in the order of spending. They are part of `limit`." }),
  lines: z.array(creditLine),
});
export type DeskCredits = z.infer<typeof deskCredits>;

/** Everything known about a person, except pictures and their names. */
export const deskPerson = foundPerson.extend({
  subscription: z
    .object({
      id: z.string().nullable(),
      status: z.enum(subscriptionStatuses).nullable(),
      billing_cycle: z.enum(billingCycles).nullable(),
      renewal_date: at.nullable(),
      next_plan: z.enum(planNames).nullable(),
      keep_until: at.nullable(),
      price: userInfo.shape.price,
      next_price: userInfo.shape.next_price,
      price_change_refused: z.boolean().meta({
        description:
          "A price change that was not made, since the gateway refused it or the email could not be delivered.",
      }),
    })
    .nullable(),
  paid_plan: z.enum(planNames).meta({ description: "The subscription's own plan." }),
  granted: grantedPlan
    .nullable()
    .meta({ description: "A plan granted for free by an operator; the better of the two plans applies." }),
  credits: deskCredits,
  jobs: z.array(deskJob),
  payments: z.array(deskPayment),
  mails: z.array(deskMail),
  /** Null if an external identity provider has the sessions. */
  sessions: z.array(deskSession).nullable(),
  keys: z.array(apiKey),
  operator: z.enum(deskRoles).nullable(),
});
export type DeskPerson = z.infer<typeof deskPerson>;

export const adjustCredits = exactObject({
  credits: z
    .int()
    .min(-maxAdjustedCredits)
    .max(maxAdjustedCredits)
    .refine((credits) => credits !== 0, "Please enter a number other than 0.")
    .meta({
      description: "Positive to add credits, negative to remove them: added ones first, then those of the period.",
    }),
  until: z
    .union([z.literal("window"), at])
    .nullable()
    .default(null)
    .meta({
      description:
        "The end of added credits: a time, `window` for the end of the current month or day, or null, the default, for until they are spent.",
    }),
  reason,
});
export const adjustedCredits = z.object({ used: z.int(), limit: z.int().nullable() });
export const grantPlan = exactObject({
  plan: z.enum(paidPlanNames),
  until: at.meta({ description: "The end of the plan, UTC." }),
  reason,
});
export const endSessions = exactObject({
  session_id: z.string().optional().meta({ description: "Default: all of them." }),
  reason,
});
export const revokeKeys = exactObject({
  key_id: z.string().optional().meta({ description: "Default: all of them." }),
  reason,
});
export const countDone = z.object({ count: z.int() });
export const deletePerson = exactObject({
  email: z.string().min(1).meta({ description: "The account's email address, as confirmation." }),
  reason,
});
export const refundPayment = exactObject({
  amount_minor: z
    .int()
    .min(100)
    .meta({ description: "In the currency's smallest unit; at least one whole unit of the currency." }),
  ends_plan: z.boolean().meta({ description: "Whether to end the plan that the payment was for." }),
  reason,
});

const foundJob = deskJob.extend({ account_id: z.string().nullable().meta({ description: "Null for a guest." }) });
export type FoundJob = z.infer<typeof foundJob>;
const errorCode = z.string().max(60);
export const jobsPage = page.extend({
  state: z.enum(deskJobStates).default("waiting"),
  code: errorCode.optional().meta({ description: "Only failed jobs with this error code." }),
});
export const foundJobs = z.object({ jobs: z.array(foundJob), next: z.string().nullable() });
export const jobCounts = z.object({
  waiting: z.int(),
  working: z.int(),
  failed: z
    .array(z.object({ code: errorCode, files: z.int(), jobs: z.int() }))
    .meta({ description: "By error code, for jobs that ended within the last day." }),
});
export type DeskJobCounts = z.infer<typeof jobCounts>;

const deskDelivery = z.object({
  id: z.string(),
  what: z.string().meta({ description: "The kind of an email, else the host of the URL; never its text or path." }),
  account_id: z.string().nullable(),
  job_id: z.string().nullable(),
  state: z.enum(["waiting", "failed"]),
  tries: z.int(),
  problem: z.string().nullable().meta({ description: "The error of the last attempt." }),
  at: at.nullable().meta({ description: "When it was created; null for an output." }),
  next_attempt_at: at.nullable(),
  can_retry: z.boolean(),
});
export type DeskDelivery = z.infer<typeof deskDelivery>;
export const deliveriesPage = page.extend({
  kind: z.enum(deliveryKinds).default("mail"),
  state: z
    .enum(["waiting", "failed"])
    .default("failed")
    .meta({ description: "`waiting`: failed and will be retried." }),
});
export const deskDeliveries = z.object({ deliveries: z.array(deskDelivery), next: z.string().nullable() });
export const retryDelivery = exactObject({ kind: z.enum(deliveryKinds), id: z.string().max(200), reason });

const networkKey = z
  .string()
  .regex(/^network:[\w.-]{1,150}$/, "A network's key starts with `network:`.")
  .meta({ description: "A keyed hash; the address itself is not stored." });
const networkKind = z
  .enum(["address", "/64", "/56", "/48"])
  .meta({ description: "An IPv4 address or an IPv6 prefix." });
const deskNetwork = z.object({
  key: networkKey,
  kind: networkKind,
  used: z.int().meta({ description: "Credits used today (UTC) by guests and unverified accounts of the network." }),
  limit: z.int(),
  blocked_until: at.nullable(),
});
export type DeskNetwork = z.infer<typeof deskNetwork>;
export const deskNetworks = z.object({
  networks: z.array(deskNetwork),
  blocked: z.array(z.object({ key: networkKey, kind: networkKind, until: at })),
  next: z.string().nullable(),
});
export const networksPage = page;
export const blockNetwork = exactObject({ key: networkKey, until: at, reason });
export const unblockNetwork = exactObject({ key: networkKey, reason });

const contactMessage = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  at,
  answered_at: at.nullable(),
});
export type ContactMessage = z.infer<typeof contactMessage>;
export const messagePage = page.extend({ state: z.enum(["open", "answered"]).default("open") });
export const contactMessages = z.object({ messages: z.array(contactMessage), next: z.string().nullable() });
export const responseMessage = exactObject({
  text: z.string().trim().min(1, "Please write an answer.").max(10_000),
  reason,
});
export const markMessage = exactObject({ answered: z.boolean(), reason });

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const auditEntry = z.object({
  id: z.string(),
  at,
  actor: z.string().meta({ description: "An account's id, or `command` for the command line on the server." }),
  actor_email: z.string().nullable(),
  action: z.enum(deskActions),
  subject: z.string(),
  reason: z.string(),
  before: facts.nullable(),
  after: facts.nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
export const auditPage = page.extend({
  subject: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Only changes to this account, payment, job or other object." }),
});
export const auditEntries = z.object({ entries: z.array(auditEntry), next: z.string().nullable() });

export const newDeskKey = exactObject({
  name: z.string().trim().min(1, "Please name the key.").max(80),
  expires_at: z.iso.datetime().meta({ description: "An admin key must have an expiry date, within a year." }),
  reason,
});

const step = z.string().meta({ description: "The day, as `2026-11-22`, or the month, as `2026-11`; UTC." });
const revenueFigure = z.object({
  step,
  currency: z.enum(currencies),
  is_test: z.boolean().meta({ description: "Made in the gateway's test mode: no money moved." }),
  payments: z.int(),
  paid_minor: z.int(),
  refunded_minor: z.int().meta({ description: "The amount refunded of these payments, at any time." }),
});
export type RevenueFigure = z.infer<typeof revenueFigure>;
const subscriptionFigure = z.object({
  step,
  plan: z.enum(paidPlanNames),
  new: z
    .int()
    .meta({ description: "Customers who had the free plan before. Changes between paid plans are not counted." }),
  lost: z.int().meta({ description: "Customers who went back to the free plan." }),
});
export type SubscriptionFigure = z.infer<typeof subscriptionFigure>;
const creditFigure = z.object({
  step,
  plan: z
    .enum(tierNames)
    .nullable()
    .meta({ description: "Null for charges from before the ledger recorded the plan." }),
  operation: z.enum(operationNames).meta({ description: "For a recipe, its first step." }),
  files: z.int(),
  credits: z.int().meta({ description: "Without refunded credits." }),
});
export type CreditFigure = z.infer<typeof creditFigure>;
export const figuresSpan = usageSpan.extend({ by: z.enum(["day", "month"]).default("day") });
export type FiguresSpan = { from: string; to: string; by: ReportInterval };
export const deskFigures = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  by: z.enum(["day", "month"]),
  revenue: z.array(revenueFigure),
  subscriptions: z.array(subscriptionFigure),
  credits: z.array(creditFigure),
});
export type DeskFigures = z.infer<typeof deskFigures>;
