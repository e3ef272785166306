import { type Camel, toSnake } from "./casing.ts";
import { type AskOptions, askJson, openConnection, type TintypeOptions } from "./connection.ts";
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

/** Files as facts, and the work on them. */
export type QuoteRequest = Camel<QuoteData["body"]>;
export type Quote = Camel<ApiQuote>;
export type Recipe = Camel<ApiRecipe>;
export type Usage = Camel<UserInfo>;
/** A page of the ledger, a line for each run. */
export type UsageHistory = Camel<CreditHistory>;
export type JobPage = Camel<ListJobsResponse>;

/** `next` of a page is `before` of the one after it. */
export type Page = { before?: string; size?: number };
type NewRecipe = { name: string; steps: RecipeStep[] };

export type NewKey = Camel<CreateKeyData["body"]>;
/** A key as it is shown once, when it is made. */
export type CreatedKey = Camel<CreateKeyResponse>;
export type KeyList = Camel<ListKeysResponse>["keys"];
export type WebhookList = Camel<ListWebhooksResponse>["webhooks"];
/** A webhook and the secret that its deliveries are signed with. */
export type CreatedWebhook = Camel<CreateWebhookResponse>;
export type DeliveryPage = Camel<ListDeliveriesResponse>;
/** The overlap, in which the old secret works too. */
export type Overlap = { overlapHours?: number };

/** A Tintype server. Each operation of its manifest is a method. */
export type TintypeClient<Input> = OperationMethods<Input> & {
  /** Runs a recipe, by its name or by its steps, on each picture. */
  run(recipe: RecipeChoice, files: Input | readonly Input[], call?: CallOptions): Promise<Result>;
  /** The price of a batch, without sending it. */
  quote(request: QuoteRequest, options?: AskOptions): Promise<Quote>;
  /** The plan, and the credits that are used and left. */
  usage(options?: AskOptions): Promise<Usage>;
  /** The account's ledger, newest first. */
  history(page?: Page, options?: AskOptions): Promise<UsageHistory>;
  jobs: {
    /** Sends pictures without waiting for their results. */
    start(work: WorkOf<Input>, files: Input | readonly Input[], call?: CallOptions): Promise<Job>;
    get(id: string, options?: AskOptions): Promise<Job>;
    /** The newest jobs. */
    list(page?: Page, options?: AskOptions): Promise<JobPage>;
    /** Events until the job's end. A broken connection goes on after the last event. */
    events(id: string, options?: EventOptions): AsyncGenerator<JobEvent, void, undefined>;
    /** Stops the work. The credits of files that were not delivered come back. */
    cancel(id: string, options?: AskOptions): Promise<Job>;
    /**
     * Cancels one file that has not ended, by its place in the job: its credit comes back, and the others go on. A finished cut-out that is
     * `incomplete` and was neither fetched nor edited is discarded, and its credit comes back too; any other finished one is refused.
     */
    cancelFile(id: string, index: number, options?: AskOptions): Promise<Job>;
    /** The result of a job that has ended. The server deletes it once it is delivered. */
    download(id: string, options?: AskOptions): Promise<Result>;
    /** Changes a kept cut-out, at no cost: for 14 minutes after its job ended. `index` is the file's place in the job. */
    edit(id: string, index: number, options?: EditOptions<Input>, call?: CallOptions): Promise<Result>;
    /** What was done and when the pictures went, plain and signed. */
    receipt(id: string, options?: AskOptions): Promise<Camel<JobReceiptResponse>>;
  };
  /** The keys that receipts are signed with. */
  receiptKeys(options?: AskOptions): Promise<Camel<ReceiptKeysResponse>>;
  /** Keys of the account. These calls, and those of webhooks, need a token of the person, or a key with a scope for them. */
  keys: {
    list(options?: AskOptions): Promise<KeyList>;
    create(key: NewKey, options?: AskOptions): Promise<CreatedKey>;
    rotate(id: string, overlap?: Overlap, options?: AskOptions): Promise<CreatedKey>;
    delete(id: string, options?: AskOptions): Promise<void>;
  };
  webhooks: {
    list(options?: AskOptions): Promise<WebhookList>;
    create(webhook: { url: string }, options?: AskOptions): Promise<CreatedWebhook>;
    rotate(id: string, overlap?: Overlap, options?: AskOptions): Promise<CreatedWebhook>;
    delete(id: string, options?: AskOptions): Promise<void>;
    /** The secret of webhooks that a job names itself, in `webhookUrl`. */
    secret(options?: AskOptions): Promise<Camel<WebhookSecretResponse>>;
    rotateSecret(overlap?: Overlap, options?: AskOptions): Promise<Camel<WebhookSecretResponse>>;
    deliveries(page?: Page, options?: AskOptions): Promise<DeliveryPage>;
    /** Sends a delivery again. */
    replay(id: string, options?: AskOptions): Promise<Camel<ReplayDeliveryResponse>>;
  };
  recipes: {
    /** Your own, then those that ship with the server. */
    list(options?: AskOptions): Promise<Recipe[]>;
    get(id: string, options?: AskOptions): Promise<Recipe>;
    create(recipe: NewRecipe, options?: AskOptions): Promise<Recipe>;
    replace(id: string, recipe: NewRecipe, options?: AskOptions): Promise<Recipe>;
    delete(id: string, options?: AskOptions): Promise<void>;
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
  return Tintype as TintypeConstructor<Input>; // it has all that createTintype gives
}

/** A second try of a call whose answer was lost would make a second thing, or be refused, since its name is taken. */
const once = (ask?: AskOptions): AskOptions => ({ ...ask, retries: 0 });
const overlapOf = ({ overlapHours }: Overlap = {}) =>
  overlapHours === undefined ? {} : { overlap_hours: overlapHours };

function createTintype<Input>(options: TintypeOptions, platform: Platform<Input>): TintypeClient<Input> {
  const connection = openConnection(options);
  const { client } = connection;
  const work = createWork(connection, platform);
  const methods = operationNames.map((name) => [
    name,
    (files: Input | readonly Input[], fields?: object, call?: CallOptions) =>
      work.run(operationOrder(name, files, fields), call),
  ]);
  const shared = { client, throwOnError: true } as const;
  const written = (recipe: NewRecipe) => toSnake(recipe) as NewRecipe & { steps: object[] }; // a recipe as the API has it

  return {
    ...(Object.fromEntries(methods) as OperationMethods<Input>), // a method for each name, as the type says
    run: (recipe, files, call) => work.run(recipeOrder(recipe, files), call),
    quote: (request, ask) =>
      askJson(
        connection,
        (signal) => sdk.quote({ ...shared, body: toSnake(request) as QuoteData["body"], signal }), // Camel's opposite
        ask,
      ),
    usage: (ask) => askJson(connection, (signal) => sdk.userInfo({ ...shared, signal }), ask),
    history: (query = {}, ask) => askJson(connection, (signal) => sdk.creditHistory({ ...shared, query, signal }), ask),
    jobs: {
      start: (wish, files, call) => work.start(workOrder(wish, files), call),
      get: (id, ask) => askJson(connection, (signal) => sdk.getJob({ ...shared, path: { id }, signal }), ask),
      list: (query = {}, ask) => askJson(connection, (signal) => sdk.listJobs({ ...shared, query, signal }), ask),
      events: (id, ask) => jobEvents(connection, id, ask),
      cancel: (id, ask) => askJson(connection, (signal) => sdk.cancelJob({ ...shared, path: { id }, signal }), ask),
      cancelFile: (id, index, ask) =>
        askJson(connection, (signal) => sdk.cancelFile({ ...shared, path: { id, index }, signal }), ask),
      download: work.download,
      edit: (id, index, fields, call) => work.run(editOrder({ id, index }, fields), call),
      receipt: (id, ask) => askJson(connection, (signal) => sdk.jobReceipt({ ...shared, path: { id }, signal }), ask),
    },
    receiptKeys: (ask) => askJson(connection, (signal) => sdk.receiptKeys({ ...shared, signal }), ask),
    keys: {
      list: async (ask) => (await askJson(connection, (signal) => sdk.listKeys({ ...shared, signal }), ask)).keys,
      create: (key, ask) =>
        askJson(
          connection,
          (signal) => sdk.createKey({ ...shared, body: toSnake(key) as CreateKeyData["body"], signal }), // Camel's opposite
          once(ask),
        ),
      rotate: (id, overlap, ask) =>
        askJson(
          connection,
          (signal) => sdk.rotateKey({ ...shared, path: { id }, body: overlapOf(overlap), signal }),
          once(ask),
        ),
      async delete(id, ask) {
        await askJson(connection, (signal) => sdk.deleteKey({ ...shared, path: { id }, signal }), ask);
      },
    },
    webhooks: {
      list: async (ask) =>
        (await askJson(connection, (signal) => sdk.listWebhooks({ ...shared, signal }), ask)).webhooks,
      create: (body, ask) => askJson(connection, (signal) => sdk.createWebhook({ ...shared, body, signal }), once(ask)),
      rotate: (id, overlap, ask) =>
        askJson(
          connection,
          (signal) => sdk.rotateWebhook({ ...shared, path: { id }, body: overlapOf(overlap), signal }),
          once(ask),
        ),
      async delete(id, ask) {
        await askJson(connection, (signal) => sdk.deleteWebhook({ ...shared, path: { id }, signal }), ask);
      },
      secret: (ask) => askJson(connection, (signal) => sdk.webhookSecret({ ...shared, signal }), ask),
      rotateSecret: (overlap, ask) =>
        askJson(
          connection,
          (signal) => sdk.rotateWebhookSecret({ ...shared, body: overlapOf(overlap), signal }),
          once(ask),
        ),
      deliveries: (query = {}, ask) =>
        askJson(connection, (signal) => sdk.listDeliveries({ ...shared, query, signal }), ask),
      replay: (id, ask) =>
        askJson(connection, (signal) => sdk.replayDelivery({ ...shared, path: { id }, signal }), once(ask)),
    },
    recipes: {
      list: async (ask) => (await askJson(connection, (signal) => sdk.listRecipes({ ...shared, signal }), ask)).recipes,
      get: (id, ask) => askJson(connection, (signal) => sdk.getRecipe({ ...shared, path: { id }, signal }), ask),
      create: (recipe, ask) =>
        askJson(connection, (signal) => sdk.createRecipe({ ...shared, body: written(recipe), signal }), once(ask)),
      replace: (id, recipe, ask) =>
        askJson(
          connection,
          (signal) => sdk.replaceRecipe({ ...shared, path: { id }, body: written(recipe), signal }),
          ask,
        ),
      async delete(id, ask) {
        await askJson(connection, (signal) => sdk.deleteRecipe({ ...shared, path: { id }, signal }), ask);
      },
    },
  };
}
