import { type Camel, toSnake } from "./casing.ts";
import { type AskOptions, askJson, openConnection, type TintypeOptions } from "./connection.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type {
  Quote as ApiQuote,
  Recipe as ApiRecipe,
  CreditHistory,
  ListJobsResponse,
  QuoteData,
  UserInfo,
} from "./generated/types.gen.ts";
import { type EventOptions, type Job, type JobEvent, jobEvents } from "./job-events.ts";
import {
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
    /** The result of a job that has ended. The server deletes it once it is delivered. */
    download(id: string, options?: AskOptions): Promise<Result>;
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
      download: work.download,
    },
    recipes: {
      list: async (ask) => (await askJson(connection, (signal) => sdk.listRecipes({ ...shared, signal }), ask)).recipes,
      get: (id, ask) => askJson(connection, (signal) => sdk.getRecipe({ ...shared, path: { id }, signal }), ask),
      // A second try of a call whose answer was lost would be refused: the name is taken.
      create: (recipe, ask) =>
        askJson(connection, (signal) => sdk.createRecipe({ ...shared, body: written(recipe), signal }), {
          ...ask,
          retries: 0,
        }),
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
