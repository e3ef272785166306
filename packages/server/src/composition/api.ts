import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import type { TakeOver } from "../features/accounts/accounts.ts";
import { createAuthenticate } from "../features/accounts/authenticate.ts";
import { type DeleteAccountDependencies, mountDeleteAccount } from "../features/accounts/delete-account.ts";
import { mountIdentityProvider } from "../features/accounts/mount-identity-provider.ts";
import { mountConfig } from "../features/accounts/routes.ts";
import { createTokenVerifier } from "../features/accounts/token.ts";
import { type Billing, mountBilling } from "../features/billing/billing.ts";
import { removeAccountFromBilling } from "../features/billing/forget.ts";
import { webhookPath } from "../features/billing/webhook.ts";
import { mountRemoveBg } from "../features/compatibility/remove-bg.ts";
import { mountTinify } from "../features/compatibility/tinify.ts";
import { type Contact, mountContact } from "../features/contact/contact.ts";
import { forget as forgetContact } from "../features/contact/forget.ts";
import { forget as forgetCredits } from "../features/credits/forget.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import { mountCredits } from "../features/credits/routes.ts";
import { offerClaim } from "../features/desk/claim.ts";
import { createDeskMount } from "../features/desk/mount.ts";
import { roleOf } from "../features/desk/operators.ts";
import { mountDesk } from "../features/desk/routes.ts";
import { leaveInvoices } from "../features/invoices/forget.ts";
import { type Invoices, mountInvoices } from "../features/invoices/routes.ts";
import { createOutputs, type Outputs } from "../features/jobs/deliver/outputs.ts";
import { mountJobs } from "../features/jobs/http/job-routes.ts";
import { mountImages } from "../features/jobs/http/task-routes.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import { createPreviewAllowance } from "../features/jobs/limits/preview-allowance.ts";
import { cancelJobsOf, removeAccountFromJobs } from "../features/jobs/record/forget.ts";
import { createReceipts } from "../features/jobs/settle/receipt.ts";
import { revokeKeysOf } from "../features/keys/keys.ts";
import { createPersonByKey } from "../features/keys/person-by-key.ts";
import { mountKeys } from "../features/keys/routes.ts";
import { createPlaceOf, mountLocation } from "../features/location/location.ts";
import { mountQuote } from "../features/quote/routes.ts";
import { createRecipes, removeAllRecipes } from "../features/recipes/recipes.ts";
import { mountRecipes } from "../features/recipes/routes.ts";
import { removeAllWebhooks } from "../features/webhooks/endpoints.ts";
import { mountWebhooks } from "../features/webhooks/routes.ts";
import { createWebhooks, type Webhooks } from "../features/webhooks/webhooks.ts";
import { createApp } from "../http/app.ts";
import { createMount } from "../http/endpoint.ts";
import { mountHealth } from "../http/health.ts";
import { noteRoutes, refuseOtherMethods } from "../http/methods.ts";
import { type Metrics, measureRequests } from "../http/metrics.ts";
import { createNearestPath } from "../http/nearest-path.ts";
import { mountOpenApi } from "../http/openapi.ts";
import { mountSecurityContact } from "../http/security-contact.ts";
import { serveSite } from "../http/site.ts";
import type { Clock } from "../platform/clock.ts";
import { openCountries } from "../platform/geo.ts";
import { acceptedKeys } from "../platform/keys.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import type { MailOutbox } from "../platform/mail-outbox.ts";
import { networkKey } from "../platform/network.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";
import { releaseVersion } from "../platform/release.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { chooseIdentity } from "./identity.ts";
import type { Links } from "./links.ts";
import { readMailTransport } from "./mail.ts";
import { createNewAccounts } from "./new-accounts.ts";
import { openOutbound } from "./outbound.ts";
import { checkPlansAtStart, type choosePayments, listeningUrl, type PaymentsChoice } from "./payments.ts";
import { createReadiness } from "./readiness.ts";
import type { Stores } from "./stores.ts";

export type Api = {
  app: FastifyInstance;
  payments: PaymentsChoice;
  billing: Billing;
  invoices: Invoices;
  contact: Contact;
  /** Undefined if the operator does not allow it. */
  outbound: Outbound | undefined;
  outputs: Outputs | undefined;
  webhooks: Webhooks | undefined;
};

export type ApiDependencies = {
  config: Config;
  logger: FastifyBaseLogger;
  clock: Clock;
  stores: Stores;
  links: Links;
  ledger: Ledger;
  jobs: Jobs;
  outbox: MailOutbox;
  verifiesAddresses: boolean;
  tracing: Tracing;
  metrics: Metrics;
  isStopping(): boolean;
  openPayments: ReturnType<typeof choosePayments>;
};

const builtSite = fileURLToPath(new URL("../../../web/build/client", import.meta.url));

/** Builds the public server: every route of the API, the identity provider and the site. */
export async function createApi({
  config,
  logger,
  clock,
  ledger,
  jobs,
  metrics,
  ...dependencies
}: ApiDependencies): Promise<Api> {
  const { db, blobs } = dependencies.stores;
  const { rateLimits } = dependencies.links;
  const networkOf = (address: string) => networkKey(address, config.keys.networks);
  const takeOver: TakeOver = {
    async removeMade(tx, accountId) {
      await revokeKeysOf(tx, accountId, undefined);
      await removeAllWebhooks(tx, accountId);
      await removeAllRecipes(tx, accountId);
    },
    cancelJobs: (holder) => cancelJobsOf({ db, cancel: jobs.cancel }, holder),
  };
  const identity = await chooseIdentity(config, {
    db,
    clock,
    takeOver,
    rateLimits,
    log: logger,
    meter: metrics,
    ...dependencies,
  });
  // Created before the first token: concurrent first tokens would each create a key that some verifier does not know.
  await identity.provider?.getJwks();
  const app = await createApp({
    isStopping: dependencies.isStopping,
    tracing: dependencies.tracing,
    logger,
    cookieKeys: acceptedKeys(config, "guestCookies"),
    trustedProxies: config.TINTYPE_TRUSTED_PROXIES,
    origin: config.origin,
    ownHosts: { origin: config.origin, hosts: config.TINTYPE_HOSTS ?? [] },
    corsOrigins: config.TINTYPE_CORS_ORIGINS ?? [],
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    rateLimits,
    networkOf,
  });
  const checkReady = createReadiness(dependencies);
  const routes = noteRoutes(app);
  measureRequests(app, metrics);
  mountHealth(app, {
    registry: metrics.registry,
    metricsToken: config.TINTYPE_METRICS_TOKEN,
    isPublic: !isLoopbackHost(new URL(config.origin).hostname),
    isStopping: dependencies.isStopping,
    async checkReady() {
      if (jobs.isDraining()) throw new Error("this process is about to stop");
      await checkReady();
    },
  });
  const authenticate = createAuthenticate({
    db,
    clock,
    admission: config.access,
    onCreated: createNewAccounts({
      clock,
      countersKeys: acceptedKeys(config, "keptCounters"),
      origin: config.origin,
      verifyingIssuer: dependencies.verifiesAddresses && identity.provider ? identity.rules.issuer : undefined,
    }),
    takeOver: identity.provider ? undefined : takeOver,
    verifyToken: createTokenVerifier(identity),
    personByKey: createPersonByKey({ db, clock, rateLimits, callsPerMinute: config.KEY_RATE_LIMIT_PER_MINUTE }),
    networksKey: config.keys.networks,
    secureCookies: config.origin.startsWith("https:"),
  });
  const mount = createMount(app, authenticate);
  const payments = dependencies.openPayments({ db, clock, log: logger, ownUrl: () => listeningUrl(app), webhookPath });
  await checkPlansAtStart(payments, logger);
  await payments.sandbox?.mount(app);
  const accepts = { urls: config.TINTYPE_URL_INPUT, webhooks: config.TINTYPE_WEBHOOKS };
  mountOpenApi(app, { origin: config.origin, version: releaseVersion, accepts, name: config.brand.name });
  mountConfig(mount, {
    settings: {
      version: releaseVersion,
      identity: identity.settings,
      access: config.access,
      payments: payments.settings,
      url_input: accepts.urls,
      webhooks: accepts.webhooks,
    },
    usageOf: (caller) => ledger.usage(caller),
  });
  mountCredits(mount, { db, clock, ledger, fileName: config.brand.fileName });
  mountJobs(mount, {
    jobs,
    receipts: createReceipts({ db, clock, origin: config.origin, seeds: acceptedKeys(config, "receipts") }),
  });
  const placeOf = createPlaceOf({
    countryOf: await openCountries(),
    countryHeader: config.TINTYPE_COUNTRY_HEADER,
    trustedProxies: config.TINTYPE_TRUSTED_PROXIES,
  });
  mountLocation(mount, { placeOf });
  const paying = { db, clock, log: logger, meter: metrics, origin: config.origin, brand: config.brand, ...payments };
  const currencyFor = (request: FastifyRequest) => placeOf(request).currency;
  const billing = await mountBilling(mount, app, { ...paying, ledger, outbox: dependencies.outbox, currencyFor });
  const issuing = { db, clock, brand: config.brand, log: logger };
  const invoices = mountInvoices(mount, issuing);
  const builtInIssuer = identity.provider ? identity.rules.issuer : undefined;
  const deleting: DeleteAccountDependencies = {
    db,
    clock,
    countersKey: config.keys.keptCounters,
    builtInIssuer,
    removals: [
      // Before billing removes the account from its payments. It has nothing to release.
      leaveInvoices(issuing),
      // Releases first: if the gateway cannot cancel, the rest must not run.
      removeAccountFromBilling(paying),
      removeAccountFromJobs({ db, cancel: jobs.cancel }),
      { forget: forgetCredits },
      { forget: forgetContact },
    ],
  };
  mountDeleteAccount(mount, deleting);
  mountKeys(mount, { db, clock, origin: config.origin });
  if (config.isProduction && !config.CONTACT_EMAIL)
    logger.warn(
      {},
      "CONTACT_EMAIL is not set: contact messages are stored in the database (table contact_messages) and not forwarded",
    );
  const contact = mountContact(mount, {
    db,
    clock,
    outbox: dependencies.outbox,
    rateLimits,
    contactEmail: config.CONTACT_EMAIL,
    networkOf,
  });
  const previews = createPreviewAllowance(rateLimits, {
    callerFiles: config.TINTYPE_CALLER_PREVIEWS,
    networkFiles: config.TINTYPE_NETWORK_PREVIEWS,
  });
  const archiveName = config.brand.fileName;
  const countBytesOut = (bytes: number) => metrics.countBytes("out", bytes);
  const outbound = openOutbound(config);
  const outputs =
    outbound && accepts.urls
      ? createOutputs({ db, clock, outbound, jobs, blobs, archiveName, countBytesOut, log: logger })
      : undefined;
  const webhooks =
    outbound && accepts.webhooks
      ? createWebhooks({ db, clock, jobs, outbound, masterSecrets: acceptedKeys(config, "webhooks"), log: logger })
      : undefined;
  const urls = outbound && outputs && { outbound, outputs, rateLimits };
  mountWebhooks(mount, {
    db,
    clock,
    masterSecret: config.keys.webhooks,
    origin: config.origin,
    isOn: accepts.webhooks,
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
  mountQuote(mount, { ledger, clock, recipes, takesUrls: accepts.urls });
  // Whoever has the embedded database's machine may read its log.
  const claim = config.DATABASE_URL ? undefined : await offerClaim(db, { origin: config.origin, log: logger });
  const deskMount = createDeskMount(app, {
    authenticate,
    roleOf: (accountId) => roleOf(db, accountId),
    isClaim: async (token) => (await claim?.isRight(token)) ?? false,
  });
  mountDesk(deskMount, {
    ...paying,
    ledger,
    builtInIssuer,
    deleting,
    jobs,
    contactEmail: config.CONTACT_EMAIL,
    sendsMail: readMailTransport(config).kind !== "none",
  });
  if (identity.provider) await mountIdentityProvider(app, { provider: identity.provider, origin: config.origin });
  mountSecurityContact(app, { contact: config.SECURITY_CONTACT ?? config.CONTACT_EMAIL, origin: config.origin, clock });
  refuseOtherMethods(app, routes);
  await serveSite(app, {
    folder: config.TINTYPE_SITE ? builtSite : "",
    origin: config.origin,
    brand: config.brand,
    nearestPath: createNearestPath(routes),
    allowed: {
      ...identity.allowed,
      scripts: [...identity.allowed.scripts, ...payments.allowed.scripts],
      connections: [...identity.allowed.connections, ...payments.allowed.connections],
      frames: [...identity.allowed.frames, ...payments.allowed.frames],
    },
  });
  return { app, payments, billing, invoices, contact, outbound, outputs, webhooks };
}
