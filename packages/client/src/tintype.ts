import { type Camel, toSnake } from "./casing.ts";
import { openConnection, type RequestOptions, requestJson, type TintypeOptions } from "./connection.ts";
import type { Client } from "./generated/client/index.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type {
  Quote as ApiQuote,
  Recipe as ApiRecipe,
  CreateKeyData,
  CreateKeyResponse,
  CreateWebhookResponse,
  CreditHistory,
  JobReceiptResponse,
  ListDeliveriesResponse,
  ListJobsResponse,
  ListKeysResponse,
  ListWebhooksResponse,
  QuoteData,
  ReceiptKeysResponse,
  ReplayDeliveryResponse,
  UserInfo,
  WebhookSecretResponse,
} from "./generated/types.gen.ts";
import { type EventOptions, type Job, type JobEvent, jobEvents } from "./job-events.ts";
import {
  type EditOptions,
  editOrder,
  type OperationMethods,
  operationNames,
  operationOrder,
  type RecipeChoice,
  type RecipeStep,
  recipeOrder,
  type WorkOf,
  workOrder,
} from "./operations.ts";
import type { Platform } from "./platform.ts";
import type { Result } from "./result.ts";
import { type CallOptions, createWork } from "./work.ts";

/** The files' format and size, and the work on them. */
export type QuoteRequest = Camel<QuoteData["body"]>;
export type Quote = Camel<ApiQuote>;
export type Recipe = Camel<ApiRecipe>;
export type Usage = Camel<UserInfo>;
/** A page of the ledger, one line per run. */
export type UsageHistory = Camel<CreditHistory>;
export type JobPage = Camel<ListJobsResponse>;

/** The `next` of a page is the `before` of the one after it. */
export type Page = { before?: string; size?: number };
type NewRecipe = { name: string; steps: RecipeStep[] };

export type NewKey = Camel<CreateKeyData["body"]>;
/** A key as shown once, when it is created. */
export type CreatedKey = Camel<CreateKeyResponse>;
export type KeyList = Camel<ListKeysResponse>["keys"];
export type WebhookList = Camel<ListWebhooksResponse>["webhooks"];
/** A webhook and the secret that signs its deliveries. */
export type CreatedWebhook = Camel<CreateWebhookResponse>;
export type DeliveryPage = Camel<ListDeliveriesResponse>;
/** How long the old secret keeps working. */
export type Overlap = { overlapHours?: number };

/** A client of a Tintype server. Each operation of the server's manifest is a method. */
export type TintypeClient<Input> = OperationMethods<Input> & {
  /** Runs a recipe, by its name or its steps, on each picture. */
  run(recipe: RecipeChoice, files: Input | readonly Input[], call?: CallOptions): Promise<Result>;
  /** The price of a batch, before uploading it. */
  quote(request: QuoteRequest, options?: RequestOptions): Promise<Quote>;
  /** The plan, and the credits used and left. */
  usage(options?: RequestOptions): Promise<Usage>;
  /** The account's ledger, newest first. */
  history(page?: Page, options?: RequestOptions): Promise<UsageHistory>;
  jobs: {
    /** Sends pictures without waiting for their results. */
    start(work: WorkOf<Input>, files: Input | readonly Input[], call?: CallOptions): Promise<Job>;
    get(id: string, options?: RequestOptions): Promise<Job>;
    /** The newest jobs. */
    list(page?: Page, options?: RequestOptions): Promise<JobPage>;
    /** Events until the job ends. After a broken connection it resumes after the last event. */
    events(id: string, options?: EventOptions): AsyncGenerator<JobEvent, void, undefined>;
    /** Stops the work. Credits for files that were not delivered are refunded. */
    cancel(id: string, options?: RequestOptions): Promise<Job>;
    /**
     * Cancels one unfinished file, by its index in the job: its credit is refunded, and the others continue. A
     * finished cut-out that is `incomplete` and was neither fetched nor edited is discarded, and its credit is
     * refunded too; any other finished file is refused.
     */
    cancelFile(id: string, index: number, options?: RequestOptions): Promise<Job>;
    /** The result of a job that has ended. The server deletes it once it is delivered. */
    download(id: string, options?: RequestOptions): Promise<Result>;
    /** Edits a kept cut-out, free of charge, for 14 minutes after its job ended. `index` is the file's index in the job. */
    edit(id: string, index: number, options?: EditOptions<Input>, call?: CallOptions): Promise<Result>;
    /** What was done and when the pictures were deleted, in plain and signed form. */
    receipt(id: string, options?: RequestOptions): Promise<Camel<JobReceiptResponse>>;
  };
  /** The keys that receipts are signed with. */
  receiptKeys(options?: RequestOptions): Promise<Camel<ReceiptKeysResponse>>;
  /** Keys of the account. These calls, and those of webhooks, need the person's token, or a key with the matching scope. */
  keys: {
    list(options?: RequestOptions): Promise<KeyList>;
    create(key: NewKey, options?: RequestOptions): Promise<CreatedKey>;
    rotate(id: string, overlap?: Overlap, options?: RequestOptions): Promise<CreatedKey>;
    delete(id: string, options?: RequestOptions): Promise<void>;
  };
  webhooks: {
    list(options?: RequestOptions): Promise<WebhookList>;
    create(webhook: { url: string }, options?: RequestOptions): Promise<CreatedWebhook>;
    rotate(id: string, overlap?: Overlap, options?: RequestOptions): Promise<CreatedWebhook>;
    delete(id: string, options?: RequestOptions): Promise<void>;
    /** The signing secret for webhooks that a job names in `webhookUrl`. */
    secret(options?: RequestOptions): Promise<Camel<WebhookSecretResponse>>;
    rotateSecret(overlap?: Overlap, options?: RequestOptions): Promise<Camel<WebhookSecretResponse>>;
    deliveries(page?: Page, options?: RequestOptions): Promise<DeliveryPage>;
    /** Resends a delivery. */
    replay(id: string, options?: RequestOptions): Promise<Camel<ReplayDeliveryResponse>>;
  };
  recipes: {
    /** Your own, then those that ship with the server. */
    list(options?: RequestOptions): Promise<Recipe[]>;
    get(id: string, options?: RequestOptions): Promise<Recipe>;
    create(recipe: NewRecipe, options?: RequestOptions): Promise<Recipe>;
    replace(id: string, recipe: NewRecipe, options?: RequestOptions): Promise<Recipe>;
    delete(id: string, options?: RequestOptions): Promise<void>;
  };
};

/** The constructor of clients for a platform. */
export type TintypeConstructor<Input> = new (options?: TintypeOptions) => TintypeClient<Input>;

export function tintypeOn<Input>(platform: Platform<Input>): TintypeConstructor<Input> {
  class Tintype {
    constructor(options: TintypeOptions = {}) {
      Object.assign(this, createTintype(options, platform));
    }
  }
  return Tintype as TintypeConstructor<Input>; // has everything that createTintype returns
}

/** Not retried: repeating a call whose response was lost would create a second one, or be refused because the name is taken. */
const once = (options?: RequestOptions): RequestOptions => ({ ...options, retries: 0 });
const overlapOf = ({ overlapHours }: Overlap = {}) =>
  overlapHours === undefined ? {} : { overlap_hours: overlapHours };

/** What every generated call takes here. */
type Shared = { client: Client; throwOnError: true; signal: AbortSignal };

function createTintype<Input>(settings: TintypeOptions, platform: Platform<Input>): TintypeClient<Input> {
  const connection = openConnection(settings, platform);
  const work = createWork(connection, platform);
  const methods = operationNames.map((name) => [
    name,
    (files: Input | readonly Input[], fields?: object, call?: CallOptions) =>
      work.run(operationOrder(name, files, fields), call),
  ]);
  /** The data of a generated call that returns JSON. */
  const request = <Data>(call: (shared: Shared) => Promise<{ data: Data }>, options?: RequestOptions) =>
    requestJson(connection, (signal) => call({ client: connection.client, throwOnError: true, signal }), options);
  const written = (recipe: NewRecipe) => toSnake(recipe) as NewRecipe & { steps: object[] }; // a recipe in the API's form

  return {
    ...(Object.fromEntries(methods) as OperationMethods<Input>), // a method for each name, as the type says
    run: (recipe, files, call) => work.run(recipeOrder(recipe, files), call),
    quote: (body, options) =>
      request((shared) => sdk.quote({ ...shared, body: toSnake(body) as QuoteData["body"] }), options), // the inverse of Camel
    usage: (options) => request((shared) => sdk.userInfo(shared), options),
    history: (query = {}, options) => request((shared) => sdk.creditHistory({ ...shared, query }), options),
    jobs: {
      start: (task, files, call) => work.start(workOrder(task, files), call),
      get: (id, options) => request((shared) => sdk.getJob({ ...shared, path: { id } }), options),
      list: (query = {}, options) => request((shared) => sdk.listJobs({ ...shared, query }), options),
      events: (id, options) => jobEvents(connection, id, options),
      cancel: (id, options) => request((shared) => sdk.cancelJob({ ...shared, path: { id } }), options),
      cancelFile: (id, index, options) =>
        request((shared) => sdk.cancelFile({ ...shared, path: { id, index } }), options),
      download: work.download,
      edit: (id, index, fields, call) => work.run(editOrder({ id, index }, fields), call),
      receipt: (id, options) => request((shared) => sdk.jobReceipt({ ...shared, path: { id } }), options),
    },
    receiptKeys: (options) => request((shared) => sdk.receiptKeys(shared), options),
    keys: {
      list: async (options) => (await request((shared) => sdk.listKeys(shared), options)).keys,
      create: (key, options) =>
        request((shared) => sdk.createKey({ ...shared, body: toSnake(key) as CreateKeyData["body"] }), once(options)), // as above
      rotate: (id, overlap, options) =>
        request((shared) => sdk.rotateKey({ ...shared, path: { id }, body: overlapOf(overlap) }), once(options)),
      async delete(id, options) {
        await request((shared) => sdk.deleteKey({ ...shared, path: { id } }), options);
      },
    },
    webhooks: {
      list: async (options) => (await request((shared) => sdk.listWebhooks(shared), options)).webhooks,
      create: (body, options) => request((shared) => sdk.createWebhook({ ...shared, body }), once(options)),
      rotate: (id, overlap, options) =>
        request((shared) => sdk.rotateWebhook({ ...shared, path: { id }, body: overlapOf(overlap) }), once(options)),
      async delete(id, options) {
        await request((shared) => sdk.deleteWebhook({ ...shared, path: { id } }), options);
      },
      secret: (options) => request((shared) => sdk.webhookSecret(shared), options),
      rotateSecret: (overlap, options) =>
        request((shared) => sdk.rotateWebhookSecret({ ...shared, body: overlapOf(overlap) }), once(options)),
      deliveries: (query = {}, options) => request((shared) => sdk.listDeliveries({ ...shared, query }), options),
      replay: (id, options) => request((shared) => sdk.replayDelivery({ ...shared, path: { id } }), once(options)),
    },
    recipes: {
      list: async (options) => (await request((shared) => sdk.listRecipes(shared), options)).recipes,
      get: (id, options) => request((shared) => sdk.getRecipe({ ...shared, path: { id } }), options),
      create: (recipe, options) =>
        request((shared) => sdk.createRecipe({ ...shared, body: written(recipe) }), once(options)),
      replace: (id, recipe, options) =>
        request((shared) => sdk.replaceRecipe({ ...shared, path: { id }, body: written(recipe) }), options),
      async delete(id, options) {
        await request((shared) => sdk.deleteRecipe({ ...shared, path: { id } }), options);
      },
    },
  };
}
