// Every call of the API in one table: rows share their lists of errors, and a reader compares them.
import { z } from "zod";
import type { ErrorCode } from "../facts/error.ts";
import { taskForms } from "../facts/operations/forms.ts";
import { type TaskName, taskNames } from "../facts/operations/index.ts";
import type { Scope } from "../facts/scope.ts";
import {
  contactForm,
  creditHistory,
  deleteAccount,
  page,
  publicConfig,
  serviceCount,
  serviceUseMultiple,
  sourceFormat,
  userInfo,
} from "./account.ts";
import {
  cancelled,
  changeQuotes,
  createPaymentSession,
  kept,
  location,
  paymentKey,
  paymentSession,
  planChange,
  transactions,
  upgraded,
  upgradePlan,
} from "./billing.ts";
import { job, jobList } from "./job.ts";
import { apiKeys, createdApiKey, newApiKey, rotateApiKey } from "./key.ts";
import { taskOptions } from "./options.ts";
import { quote, quoteRequest } from "./quote.ts";
import { receiptKeys, signedReceipt } from "./receipt.ts";
import { newRecipe, recipe, recipeField, recipes } from "./recipe.ts";
import {
  newWebhook,
  rotateWebhook,
  webhookDeliveries,
  webhookDelivery,
  webhookSecret,
  webhooks,
  webhookWithSecret,
} from "./webhook.ts";

/** The callers allowed: anybody; a guest or a person (a wrong token is refused, none is a guest); persons only. */
export type Access = "anybody" | "guest-or-person" | "person";

/** The scope that a call needs: the row's, else `account` for what is a person's alone, and `process` for the rest. */
export const scopeOf = ({ access, scope }: Pick<Endpoint, "access" | "scope">): Scope =>
  scope ?? (access === "person" ? "account" : "process");

/** Sections of the reference and of generated clients. */
export const tags = [
  "The tools",
  "Recipes",
  "Jobs",
  "Credits and the account",
  "API keys",
  "Webhooks",
  "Subscriptions",
  "About this service",
] as const;

/** `picture`: the bytes of a picture, or a ZIP. `events`: server-sent events. */
type Answer = {
  status: 200 | 201 | 202 | 204;
  description: string;
  kind?: "picture" | "events";
  /** A JSON answer. */
  body?: z.ZodType;
  /** Instead of a picture the answer may be a JSON sentence: nothing had to be done. */
  message?: true;
};

export type Endpoint = {
  tag: (typeof tags)[number];
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api`, without the trailing slash; both forms are answered. `{name}` is a parameter. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** See `scopeOf`. */
  scope?: Scope;
  query?: z.ZodObject;
  /** A JSON body. */
  body?: z.ZodType;
  /** A multipart form: its text fields, and the field the pictures come in. */
  form?: { task?: TaskName; options: z.ZodType; files: "files" | "file" };
  /** An example of a first call; a test makes each of them. */
  example?: { query?: Record<string, string>; fields?: Record<string, string>; body?: unknown };
  answer: Answer;
  errors: readonly ErrorCode[];
};

const anyCall = [
  "invalid-request",
  "method-not-allowed",
  "too-many-requests",
  "internal",
] as const satisfies readonly ErrorCode[];
/** Those of every call that a key may lack the scope for. */
const callerErrors = ["unauthorized", "scope-missing"] as const satisfies readonly ErrorCode[];
const operationErrors = [
  ...anyCall,
  "no-files",
  "upload-cut-off",
  ...callerErrors,
  "out-of-credits",
  "network-allowance",
  "conflict",
  "idempotency-in-progress",
  "idempotency-mismatch",
  "too-large",
  "too-many-files",
  "not-an-image",
  "unsupported-media-type",
  "broken-image",
  "too-many-pixels",
  "cannot-process",
  "size-unreachable",
  "nothing-succeeded",
  "took-too-long",
  "url-refused",
  "engine-failed",
  "cancelled",
  "interrupted",
  "full",
  "unavailable",
] as const satisfies readonly ErrorCode[];
const jobErrors = [
  ...callerErrors,
  "not-found",
  "too-many-requests",
  "internal",
] as const satisfies readonly ErrorCode[];
const personErrors = [...anyCall, ...callerErrors] as const satisfies readonly ErrorCode[];

const task = <Name extends TaskName>(name: Name) =>
  ({
    tag: "The tools",
    method: "POST",
    path: `/${name}`,
    summary: taskForms[name].summary,
    description: taskForms[name].description,
    access: "guest-or-person",
    scope: "process",
    form: { task: name, options: taskOptions[name], files: "files" },
    example: { fields: taskForms[name].example },
    answer: {
      status: 200,
      kind: "picture",
      ...(taskForms[name].canBeUnchanged ? { message: true } : {}),
      description:
        "The picture itself for one file; a ZIP with `report.json` for more. With `Prefer: respond-async`: 202 and the job's address in `Location`; so too where the same `Idempotency-Key` is still being worked on.",
    },
    errors: operationErrors,
  }) as const satisfies Endpoint;

/** `remove-background` is `removeBackground` in code. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A row for each task, in the registry's order. */
export const taskEndpoints = Object.fromEntries(taskNames.map((name) => [camel(name), task(name)])) as {
  [Name in TaskName as Camel<Name>]: ReturnType<typeof task<Name>>;
}; // the keys and rows that the line above makes

/** Every call of the API. The server mounts these rows, the client and the OpenAPI document are made from them. */
export const endpoints = {
  ...taskEndpoints,
  quote: {
    tag: "The tools",
    method: "POST",
    path: "/quote",
    summary: "What a batch would cost, without sending it",
    description:
      "Of an operation with its options, or of a recipe. The credits are those that the ledger shows once the batch is through: refused files and files that need no work cost nothing, and a batch that is refused whole takes nothing.",
    access: "guest-or-person",
    scope: "process",
    body: quoteRequest,
    example: {
      body: {
        operation: "resize",
        options: { width: 1200 },
        files: [{ width: 4000, height: 3000, size_bytes: 2_400_000, format: "jpeg" }],
      },
    },
    answer: { status: 200, body: quote, description: "The quote." },
    errors: [...anyCall, ...callerErrors, "not-found"],
  },
  runRecipe: {
    tag: "Recipes",
    method: "POST",
    path: "/recipes/run",
    summary: "Do several steps to each picture, without loss between them",
    description:
      "A file costs a credit for each step that runs a network, and one where none does. Where a step fails, all of the file's credits come back.",
    access: "guest-or-person",
    scope: "process",
    form: { options: z.object({ recipe: recipeField }), files: "files" },
    example: { fields: { recipe: "avatar" } },
    answer: {
      status: 200,
      kind: "picture",
      message: true,
      description: "As with one operation: the picture, or a ZIP with `report.json`.",
    },
    errors: [...operationErrors, "not-found"],
  },
  listRecipes: {
    tag: "Recipes",
    method: "GET",
    path: "/recipes",
    summary: "The caller's recipes, and those that ship with the product",
    access: "guest-or-person",
    scope: "process",
    answer: { status: 200, body: recipes, description: "The caller's own first." },
    errors: [...anyCall, ...callerErrors],
  },
  createRecipe: {
    tag: "Recipes",
    method: "POST",
    path: "/recipes",
    summary: "Keep a recipe under a name",
    access: "person",
    scope: "process",
    body: newRecipe,
    example: { body: { name: "shop", steps: [{ resize: { width: 1200 } }, { convert: { target_format: "webp" } }] } },
    answer: { status: 201, body: recipe, description: "The recipe." },
    errors: [...personErrors, "conflict"],
  },
  getRecipe: {
    tag: "Recipes",
    method: "GET",
    path: "/recipes/{id}",
    summary: "One recipe",
    access: "person",
    scope: "process",
    answer: { status: 200, body: recipe, description: "The recipe." },
    errors: [...personErrors, "not-found"],
  },
  replaceRecipe: {
    tag: "Recipes",
    method: "PUT",
    path: "/recipes/{id}",
    summary: "Change a recipe's name and steps",
    access: "person",
    scope: "process",
    body: newRecipe,
    example: { body: { name: "shop 2", steps: [{ resize: { width: 1600 } }] } },
    answer: { status: 200, body: recipe, description: "The recipe as it is now." },
    errors: [...personErrors, "not-found", "conflict"],
  },
  deleteRecipe: {
    tag: "Recipes",
    method: "DELETE",
    path: "/recipes/{id}",
    summary: "Delete a recipe",
    access: "person",
    scope: "process",
    answer: { status: 204, description: "It is gone." },
    errors: [...personErrors, "not-found"],
  },
  detectSourceFormat: {
    tag: "The tools",
    method: "POST",
    path: "/convert/detect-source-format",
    summary: "Tell a picture's format by its content",
    access: "anybody",
    form: { task: "upload", options: z.object({}), files: "file" },
    answer: { status: 200, body: sourceFormat, description: "The format's name." },
    errors: [...anyCall, "no-files", "not-an-image", "unsupported-media-type", "upload-cut-off", "too-large"],
  },
  listJobs: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs",
    summary: "The caller's jobs of the last day, newest first",
    access: "guest-or-person",
    scope: "jobs:read",
    query: page,
    answer: { status: 200, body: jobList, description: "A page of jobs." },
    errors: [...anyCall, ...callerErrors],
  },
  getJob: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}",
    summary: "How a job stands",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, body: job, description: "The job." },
    errors: jobErrors,
  },
  cancelJob: {
    tag: "Jobs",
    method: "DELETE",
    path: "/jobs/{id}",
    summary: "Cancel a job, or drop its results",
    description: "Work stops, results are deleted, and the credits of what was not delivered come back.",
    access: "guest-or-person",
    scope: "process",
    answer: { status: 200, body: job, description: "The job as it ended." },
    errors: jobErrors,
  },
  jobEvents: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/events",
    summary: "A job's progress as server-sent events",
    description: "Goes on after `Last-Event-ID`. Answers 204 to whoever has seen the end, which stops an EventSource.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "events", description: "Events of type snapshot, file and job." },
    errors: jobErrors,
  },
  jobResult: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/result",
    summary: "A job's whole result",
    description: "What the plain call would have answered. Once delivered, it is deleted.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "picture", description: "A picture or a ZIP." },
    errors: [...jobErrors, "job-not-finished", "gone", "cancelled", "nothing-succeeded", "interrupted"],
  },
  jobFile: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/files/{index}",
    summary: "One result of a job",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "picture", description: "The picture." },
    errors: [...jobErrors, "job-not-finished", "gone", "cancelled", "engine-failed", "cannot-process"],
  },
  jobReceipt: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/receipt",
    summary: "What was done, and when the pictures were deleted, signed",
    description: "Kept for 30 days. It holds no picture and no name, so that it can be shown to somebody else.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, body: signedReceipt, description: "The receipt, plain and signed." },
    errors: [...jobErrors, "job-not-finished"],
  },
  receiptKeys: {
    tag: "Jobs",
    method: "GET",
    path: "/receipt-keys",
    summary: "The keys that receipts are verified with, as a JWK Set",
    access: "anybody",
    answer: { status: 200, body: receiptKeys, description: "RFC 7517." },
    errors: anyCall,
  },
  userInfo: {
    tag: "Credits and the account",
    method: "GET",
    path: "/user-info",
    summary: "Who is asking, their plan and what is left",
    access: "person",
    scope: "usage:read",
    answer: { status: 200, body: userInfo, description: "The person." },
    errors: personErrors,
  },
  config: {
    tag: "About this service",
    method: "GET",
    path: "/config",
    summary: "What the web app must know of this deployment and this caller",
    access: "guest-or-person",
    scope: "usage:read",
    answer: { status: 200, body: publicConfig, description: "The public configuration." },
    errors: [...anyCall, ...callerErrors],
  },
  serviceUse: {
    tag: "Credits and the account",
    method: "POST",
    path: "/service-use",
    summary: "Reserve a credit",
    description: "The next operation spends it; unused it lapses after 10 minutes.",
    access: "guest-or-person",
    scope: "process",
    answer: { status: 200, body: serviceCount, description: "Credits used, this one among them." },
    errors: [...anyCall, ...callerErrors, "out-of-credits", "network-allowance", "idempotency-mismatch"],
  },
  serviceUseMultiple: {
    tag: "Credits and the account",
    method: "POST",
    path: "/service-use-multiple",
    summary: "Reserve credits for a batch",
    access: "guest-or-person",
    scope: "process",
    body: serviceUseMultiple,
    example: { body: { file_count: 3 } },
    answer: { status: 200, body: serviceCount, description: "Credits used, these among them." },
    errors: [...anyCall, ...callerErrors, "out-of-credits", "network-allowance", "idempotency-mismatch"],
  },
  creditHistory: {
    tag: "Credits and the account",
    method: "GET",
    path: "/credits/history",
    summary: "The caller's ledger, newest first, a line a run",
    access: "person",
    scope: "usage:read",
    query: page,
    answer: { status: 200, body: creditHistory, description: "A page of lines." },
    errors: personErrors,
  },
  getLocation: {
    tag: "About this service",
    method: "GET",
    path: "/get-location",
    summary: "Which country and currency the caller's address means",
    access: "anybody",
    answer: { status: 200, body: location, description: "Country and currency." },
    errors: anyCall,
  },
  razorpayKey: {
    tag: "Subscriptions",
    method: "GET",
    path: "/razorpay-key",
    summary: "The payment gateway's public key",
    access: "anybody",
    answer: { status: 200, body: paymentKey, description: "The key." },
    errors: anyCall,
  },
  planChange: {
    tag: "Subscriptions",
    method: "GET",
    path: "/plan-change",
    summary: "What a change to a plan charges and returns",
    description:
      "A paid plan can change at renewal, or now to a dearer one. The amounts are those that the checkout then charges and the refund returns.",
    access: "person",
    query: planChange,
    example: { query: { plan_id: "plus", billing_cycle: "monthly" } },
    answer: { status: 200, body: changeQuotes, description: "The ways to begin the plan." },
    errors: [...personErrors, "conflict"],
  },
  createPaymentSession: {
    tag: "Subscriptions",
    method: "POST",
    path: "/create-payment-session",
    summary: "Begin a subscription",
    description:
      "From Hobby the plan begins with the payment. From a paid plan it begins at renewal: the checkout then only authorises the card. With `mode: now` a dearer plan begins with the payment, and the unused days of the present one are refunded.",
    access: "person",
    body: createPaymentSession,
    example: { body: { plan_id: "plus", billing_cycle: "monthly" } },
    answer: { status: 200, body: paymentSession, description: "What the checkout needs." },
    errors: [...personErrors, "conflict", "unavailable"],
  },
  upgradePlan: {
    tag: "Subscriptions",
    method: "POST",
    path: "/upgrade-plan",
    summary: "Tell that a checkout was paid",
    description: "The server verifies the signature and asks the gateway; what the caller says is not believed.",
    access: "person",
    body: upgradePlan,
    example: { body: { plan: "plus", billing_cycle: "monthly", payment_status: "success" } },
    answer: { status: 200, body: upgraded, description: "The plan as it now is." },
    errors: [...personErrors, "conflict", "unavailable"],
  },
  cancelSubscription: {
    tag: "Subscriptions",
    method: "POST",
    path: "/cancel-subscription/{subscription_id}",
    summary: "Cancel at the end of the paid period",
    access: "person",
    answer: { status: 200, body: cancelled, description: "When it ends." },
    errors: [...personErrors, "not-found", "conflict", "unavailable"],
  },
  keepPlan: {
    tag: "Subscriptions",
    method: "POST",
    path: "/keep-plan",
    summary: "Take back a cancellation or a change that is scheduled",
    description: "Possible until `keep_until` of `GET /user-info`. Where nothing would end the plan, nothing happens.",
    access: "person",
    answer: { status: 200, body: kept, description: "How the plan goes on." },
    errors: [...personErrors, "conflict"],
  },
  transactions: {
    tag: "Subscriptions",
    method: "GET",
    path: "/transactions",
    summary: "The caller's payments, newest first",
    access: "person",
    query: page,
    answer: { status: 200, body: transactions, description: "A page of payments." },
    errors: personErrors,
  },
  deleteAccount: {
    tag: "Credits and the account",
    method: "POST",
    path: "/delete-account",
    summary: "Delete the account and all that names the person",
    access: "person",
    body: deleteAccount,
    example: { body: { email: "you@example.com" } },
    answer: { status: 204, description: "It is gone." },
    errors: [...personErrors, "conflict", "unavailable"],
  },
  createKey: {
    tag: "API keys",
    method: "POST",
    path: "/keys",
    summary: "Make an API key",
    description: "The answer shows the key; it is not kept and never shown again.",
    access: "person",
    body: newApiKey,
    example: { body: { name: "Build server", scopes: ["process", "jobs:read"] } },
    answer: { status: 201, body: createdApiKey, description: "The key." },
    errors: [...personErrors, "conflict"],
  },
  listKeys: {
    tag: "API keys",
    method: "GET",
    path: "/keys",
    summary: "The caller's API keys, newest first",
    access: "person",
    answer: { status: 200, body: apiKeys, description: "The keys, each by its last four characters." },
    errors: personErrors,
  },
  deleteKey: {
    tag: "API keys",
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revoke an API key",
    description: "The next call with it is refused.",
    access: "person",
    answer: { status: 204, description: "It is gone." },
    errors: [...personErrors, "not-found"],
  },
  rotateKey: {
    tag: "API keys",
    method: "POST",
    path: "/keys/{id}/rotate",
    summary: "Replace an API key",
    description: "The new key has the old one's name, scopes and expiry; the old one works on for the overlap.",
    access: "person",
    body: rotateApiKey,
    example: { body: { overlap_hours: 24 } },
    answer: { status: 201, body: createdApiKey, description: "The new key." },
    errors: [...personErrors, "not-found", "conflict"],
  },
  createWebhook: {
    tag: "Webhooks",
    method: "POST",
    path: "/webhooks",
    summary: "Have an address told of the end of every job that is not waited for",
    description: "Deliveries follow Standard Webhooks. The answer shows the secret that they are signed with.",
    access: "person",
    body: newWebhook,
    example: { body: { url: "https://shop.example/tintype" } },
    answer: { status: 201, body: webhookWithSecret, description: "The webhook and its secret." },
    errors: [...personErrors, "conflict"],
  },
  listWebhooks: {
    tag: "Webhooks",
    method: "GET",
    path: "/webhooks",
    summary: "The caller's webhooks, newest first",
    access: "person",
    answer: { status: 200, body: webhooks, description: "The webhooks, without their secrets." },
    errors: personErrors,
  },
  deleteWebhook: {
    tag: "Webhooks",
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Remove a webhook and its deliveries",
    access: "person",
    answer: { status: 204, description: "It is gone." },
    errors: [...personErrors, "not-found"],
  },
  rotateWebhook: {
    tag: "Webhooks",
    method: "POST",
    path: "/webhooks/{id}/rotate",
    summary: "Replace a webhook's secret",
    description: "For the overlap deliveries carry two signatures, one by each secret.",
    access: "person",
    body: rotateWebhook,
    example: { body: { overlap_hours: 24 } },
    answer: { status: 200, body: webhookWithSecret, description: "The webhook and its new secret." },
    errors: [...personErrors, "not-found"],
  },
  webhookSecret: {
    tag: "Webhooks",
    method: "GET",
    path: "/webhooks/secret",
    summary: "The secret that signs deliveries to `webhook_url`",
    access: "person",
    answer: { status: 200, body: webhookSecret, description: "The account's secret." },
    errors: personErrors,
  },
  rotateWebhookSecret: {
    tag: "Webhooks",
    method: "POST",
    path: "/webhooks/secret/rotate",
    summary: "Replace the secret that signs deliveries to `webhook_url`",
    access: "person",
    body: rotateWebhook,
    example: { body: { overlap_hours: 24 } },
    answer: { status: 200, body: webhookSecret, description: "The account's new secret." },
    errors: personErrors,
  },
  listDeliveries: {
    tag: "Webhooks",
    method: "GET",
    path: "/webhooks/deliveries",
    summary: "What was delivered to the caller's webhooks, newest first",
    description: "A job's deliveries are listed until a day after its end.",
    access: "person",
    query: page,
    answer: { status: 200, body: webhookDeliveries, description: "A page of deliveries." },
    errors: personErrors,
  },
  replayDelivery: {
    tag: "Webhooks",
    method: "POST",
    path: "/webhooks/deliveries/{id}/replay",
    summary: "Send a delivery again",
    access: "person",
    answer: { status: 200, body: webhookDelivery, description: "The delivery, which is sent anew." },
    errors: [...personErrors, "not-found", "conflict"],
  },
  contact: {
    tag: "About this service",
    method: "POST",
    path: "/contact",
    summary: "Write to us",
    access: "anybody",
    body: contactForm,
    example: { body: { name: "Ann", email: "ann@example.com", message: "Hello" } },
    answer: { status: 200, body: z.object({ detail: z.string() }), description: "It was taken in." },
    errors: anyCall,
  },
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
