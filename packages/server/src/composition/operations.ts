import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { mountRemoveBg } from "../features/compatibility/remove-bg.ts";
import { mountTinify } from "../features/compatibility/tinify.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import { createOutputs } from "../features/jobs/deliver/outputs.ts";
import { mountImages } from "../features/jobs/http/task-routes.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import { createPreviewAllowance } from "../features/jobs/limits/preview-allowance.ts";
import { mountQuote } from "../features/quote/routes.ts";
import { createRecipes } from "../features/recipes/recipes.ts";
import { mountRecipes } from "../features/recipes/routes.ts";
import { mountWebhooks } from "../features/webhooks/routes.ts";
import { createWebhooks } from "../features/webhooks/webhooks.ts";
import type { Authenticate } from "../http/caller.ts";
import type { Mount } from "../http/endpoint.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import { acceptedKeys } from "../platform/keys.ts";
import type { Links } from "./links.ts";
import { openOutbound } from "./outbound.ts";
import type { Stores } from "./stores.ts";

export type MountDependencies = {
  app: FastifyInstance;
  mount: Mount;
  authenticate: Authenticate;
  config: Config;
  logger: FastifyBaseLogger;
  clock: Clock;
  stores: Stores;
  ledger: Ledger;
  jobs: Jobs;
  metrics: Metrics;
  links: Links;
  networkOf(address: string): string;
};

/** What is sent to callers' addresses. Undefined if the operator does not allow it. */
export type Outgoing = Awaited<ReturnType<typeof mountOperations>>;

/** Mounts whatever is done to pictures: every task, recipes, other services' APIs, quotes, and what is sent to callers' addresses. */
export async function mountOperations(dependencies: MountDependencies) {
  const { app, mount, authenticate, config, logger, clock, ledger, jobs, metrics, networkOf } = dependencies;
  const { db, blobs } = dependencies.stores;
  const { rateLimits } = dependencies.links;
  const previews = createPreviewAllowance(rateLimits, {
    callerFiles: config.TINTYPE_CALLER_PREVIEWS,
    networkFiles: config.TINTYPE_NETWORK_PREVIEWS,
  });
  const archiveName = config.brand.fileName;
  const countBytesOut = (bytes: number) => metrics.countBytes("out", bytes);
  const outbound = openOutbound(config);
  const outputs =
    outbound && config.TINTYPE_URL_INPUT
      ? createOutputs({ db, clock, outbound, jobs, blobs, archiveName, countBytesOut, log: logger })
      : undefined;
  const webhooks =
    outbound && config.TINTYPE_WEBHOOKS
      ? createWebhooks({ db, clock, jobs, outbound, masterSecrets: acceptedKeys(config, "webhooks"), log: logger })
      : undefined;
  const urls = outbound && outputs && { outbound, outputs, rateLimits };
  mountWebhooks(mount, {
    db,
    clock,
    masterSecret: config.keys.webhooks,
    origin: config.origin,
    isOn: config.TINTYPE_WEBHOOKS,
  });
  const run = mountImages(mount, {
    jobs,
    blobs,
    archiveName,
    clock,
    previews,
    urls,
    webhooks,
    networkOf,
    countBytesOut,
    countBytesIn: (bytes) => metrics.countBytes("in", bytes),
  });
  const recipes = createRecipes({ db, clock });
  mountRecipes(mount, { recipes, run });
  const foreign = { run, jobs, blobs, archiveName, countBytesOut, authenticate };
  mountTinify(app, { ...foreign, origin: config.origin });
  await mountRemoveBg(app, { ...foreign, ledger });
  mountQuote(mount, {
    db,
    ledger,
    clock,
    recipes,
    resultKey: config.keys.results,
    takesUrls: config.TINTYPE_URL_INPUT,
  });
  return { outbound, outputs, webhooks };
}
