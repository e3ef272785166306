import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { limits } from "@tintype/contract";
import { engineArguments, type ModelsConfig } from "@tintype/imaging";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import release from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { createAuthenticate } from "./features/accounts/authenticate.ts";
import { mountIdentityProvider } from "./features/accounts/mount-identity-provider.ts";
import { networkKey } from "./features/accounts/network.ts";
import { mountConfig } from "./features/accounts/routes.ts";
import { createTokenVerifier } from "./features/accounts/token.ts";
import { mountBilling } from "./features/billing/billing.ts";
import { webhookPath } from "./features/billing/webhook.ts";
import { mountContact } from "./features/contact/contact.ts";
import { createLedger, type Ledger } from "./features/credits/ledger.ts";
import { mountCredits } from "./features/credits/routes.ts";
import { resultName } from "./features/images/names.ts";
import { mountImages } from "./features/images/routes.ts";
import { createJobs, type Jobs } from "./features/jobs/jobs.ts";
import { openLease } from "./features/jobs/lease.ts";
import { mountJobs } from "./features/jobs/routes.ts";
import { startWorker } from "./features/jobs/worker.ts";
import { createPlaceOf, mountLocation } from "./features/location/location.ts";
import { createApp } from "./http/app.ts";
import { createMount } from "./http/endpoint.ts";
import { mountHealth } from "./http/health.ts";
import { createMetrics, measureRequests } from "./http/metrics.ts";
import { mountOpenApi } from "./http/openapi.ts";
import { serveSite } from "./http/site.ts";
import { chooseIdentity } from "./identity.ts";
import { checkModels, readModels } from "./models.ts";
import { checkPlansAtStart, choosePayments, listeningUrl } from "./payments.ts";
import { openFolderBlobs } from "./platform/blobs/folder.ts";
import { createLocalBus } from "./platform/bus/local.ts";
import { type Clock, fileClock, systemClock } from "./platform/clock.ts";
import type { Database } from "./platform/db/database.ts";
import { openPglite, type PglitePlace } from "./platform/db/pglite.ts";
import { openPostgres } from "./platform/db/postgres.ts";
import { EnginePool } from "./platform/engine-pool.ts";
import { openCountries } from "./platform/geo.ts";
import { logMail, type Mail } from "./platform/mail.ts";
import { smtpMail } from "./platform/mail-smtp.ts";
import { createLocalWork } from "./platform/work/local.ts";
import { workClasses } from "./platform/work/work.ts";

export type Service = {
  app: FastifyInstance;
  jobs: Jobs;
  db: Database;
  ledger: Ledger;
  /** What a timer does every few seconds; tests call it themselves. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

export type ComposeOptions = {
  config: Config;
  logger: FastifyBaseLogger;
  clock?: Clock;
  /** Another embedded database than the one in the data folder. */
  database?: PglitePlace;
};

const builtSite = fileURLToPath(new URL("../../web/build/client", import.meta.url));
const sweepEveryMs = 5_000;
const beatEveryMs = 1_500;
/** A model engine holds a gigabyte; unused it goes after so long. */
const modelIdleMs = 120_000;

/** Puts the service together. The one place that knows which adapter stands behind which port. */
export async function compose({ config, logger, database: place, ...options }: ComposeOptions): Promise<Service> {
  const clock =
    options.clock ?? (config.isProduction ? systemClock : fileClock(join(config.dataFolder, "clock-offset-ms")));
  const openPayments = choosePayments(config);
  const mail = openMail(config, logger);
  const models = readModels(config);
  await checkModels(models, logger);
  const { db, ...database } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite(place ?? { folder: config.dataFolder });
  const blobs = await openFolderBlobs(join(config.dataFolder, "spool"));
  const pools = openPools(config, { models, log: logger });
  const bus = createLocalBus();
  const work = createLocalWork({ log: logger });
  const metrics = createMetrics({
    queueDepth: () => jobs.facts().waiting,
    engineProcesses: () => pools.picture.processIds.length + pools.model.processIds.length,
    enginesBusy: () => pools.picture.busy + pools.model.busy,
  });

  const ledger = createLedger({ db, clock });
  const { exclusive } = database;
  const lease = await openLease({ db, role: "all", classes: workClasses, exclusive, log: logger });
  const settling = { db, clock, ledger, blobs, bus, work, log: logger, meter: metrics };
  const jobs: Jobs = createJobs({
    ...settling,
    lease,
    exclusive,
    bounds: {
      queueFiles: config.TINTYPE_QUEUE_FILES,
      callerFiles: config.TINTYPE_CALLER_FILES,
      networkFiles: config.TINTYPE_NETWORK_FILES,
      networkUploads: config.TINTYPE_NETWORK_UPLOADS,
      spoolBytes: config.TINTYPE_SPOOL_MB * 1e6,
    },
  });
  const worker = await startWorker({
    ...settling,
    lease,
    pools,
    classes: workClasses,
    limitsOf: (tier) => limits[tier],
    nameResult: ({ operation }, file, { format }) =>
      resultName(operation, { name: file.name, sourceFormat: file.format, resultFormat: format }),
  });
  const beating = setInterval(
    () => void worker.beat().catch((problem: unknown) => logger.error({ err: problem }, "a worker's beat failed")),
    beatEveryMs,
  );
  await jobs.sweep();

  const identity = chooseIdentity(config, { db, mail });
  const app = await createApp({
    logger,
    secret: config.secret,
    trustedProxies: config.TINTYPE_TRUSTED_PROXIES,
    isHttps: config.origin.startsWith("https:"),
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
  });
  measureRequests(app, metrics);
  mountHealth(app, {
    registry: metrics.registry,
    metricsToken: config.TINTYPE_METRICS_TOKEN,
    checkReady: async () => void (await db.execute(sql`select 1`)),
  });
  const mount = createMount(
    app,
    createAuthenticate({
      db,
      clock,
      verifyToken: createTokenVerifier(identity),
      secret: config.secret,
      secureCookies: config.origin.startsWith("https:"),
    }),
  );
  const payments = openPayments({ db, clock, log: logger, ownUrl: () => listeningUrl(app), webhookPath });
  await checkPlansAtStart(payments, logger);
  await payments.sandbox?.mount(app);
  mountOpenApi(app, { origin: config.origin, version: release.version });
  mountConfig(mount, {
    settings: { identity: identity.settings, payments: payments.settings },
    usageOf: (caller) => ledger.usage(caller),
  });
  mountCredits(mount, { db, clock, ledger });
  mountJobs(mount, { jobs });
  const placeOf = createPlaceOf({
    countryOf: await openCountries(),
    countryHeader: config.TINTYPE_COUNTRY_HEADER,
    hasTrustedProxy: config.TINTYPE_TRUSTED_PROXIES !== undefined,
  });
  mountLocation(mount, { placeOf });
  const billing = await mountBilling(mount, app, {
    db,
    clock,
    ledger,
    mail,
    log: logger,
    origin: config.origin,
    ...payments,
    currencyFor: (request) => placeOf(request).currency,
    builtInIssuer: identity.provider ? identity.rules.issuer : undefined,
    cancelJob: (id, owner) => jobs.cancel(id, [owner]),
  });
  const contact = mountContact(mount, {
    db,
    clock,
    mail,
    contactEmail: config.CONTACT_EMAIL,
    networkOf: (address) => networkKey(address, config.secret),
  });
  mountImages(mount, {
    ...{ jobs, blobs, countBytes: metrics.countBytes },
    networkOf: (address) => networkKey(address, config.secret),
  });
  if (identity.provider) await mountIdentityProvider(app, { provider: identity.provider, origin: config.origin });
  await serveSite(app, {
    folder: config.TINTYPE_SITE ? builtSite : "",
    origin: config.origin,
    allowed: {
      ...identity.allowed,
      scripts: [...identity.allowed.scripts, ...payments.allowed.scripts],
      connections: [...identity.allowed.connections, ...payments.allowed.connections],
      frames: [...identity.allowed.frames, ...payments.allowed.frames],
    },
  });

  const sweepBilling = async () => {
    await payments.sandbox?.advance();
    await billing.sweep();
  };
  let isSweeping: Promise<void> | undefined;
  const sweepOnce = () => {
    isSweeping ??= Promise.all([jobs.sweep(), ledger.lapseAll(), contact.sendWaiting(), sweepBilling()])
      .then(() => {})
      .finally(() => {
        isSweeping = undefined;
      });
    return isSweeping;
  };
  const timer = setInterval(
    () => void sweepOnce().catch((problem: unknown) => logger.error({ err: problem }, "sweep failed")),
    sweepEveryMs,
  );
  return {
    app,
    jobs,
    db,
    ledger,
    sweep: sweepOnce,
    async close() {
      clearInterval(timer);
      clearInterval(beating);
      await worker.close();
      await jobs.close();
      await app.close();
      await isSweeping?.catch(() => {});
      await Promise.all([billing.close(), payments.sandbox?.close()]);
      mail.close();
      await lease.close();
      await Promise.all([work.close(), bus.close(), blobs.close()]);
      await database.close();
    },
  };
}

/** @throws Error where there is an SMTP server and no sender */
function openMail({ SMTP_URL, MAIL_FROM }: Config, logger: FastifyBaseLogger): Mail {
  if (!SMTP_URL) return logMail(logger);
  if (!MAIL_FROM) throw new Error("SMTP_URL wants MAIL_FROM beside it: who our mails come from.");
  return smtpMail({ url: SMTP_URL, from: MAIL_FROM });
}

function openPools(
  config: Config,
  { models, log }: { models: ModelsConfig; log: FastifyBaseLogger },
): { picture: EnginePool; model: EnginePool } {
  const scratch = join(config.dataFolder, "scratch");
  // What engines of an earlier run left when they were killed together with the server.
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const common = { scratch, memoryLimitMb: config.TINTYPE_ENGINE_MEMORY_MB, log };
  return {
    picture: new EnginePool({ ...common, size: config.TINTYPE_ENGINES }),
    model: new EnginePool({
      ...common,
      size: config.TINTYPE_MODEL_ENGINES,
      idleMs: modelIdleMs,
      arguments: engineArguments({ models }),
    }),
  };
}
