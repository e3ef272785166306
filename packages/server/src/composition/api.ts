import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { TakeOver } from "../features/accounts/accounts.ts";
import { createAuthenticate } from "../features/accounts/authenticate.ts";
import { findByToken } from "../features/accounts/invitations.ts";
import { invitationTokenOf, mountJoin } from "../features/accounts/join.ts";
import { mountIdentityProvider } from "../features/accounts/mount-identity-provider.ts";
import { mountConfig } from "../features/accounts/routes.ts";
import { createTokenVerifier } from "../features/accounts/token.ts";
import { webhookPath } from "../features/billing/webhook.ts";
import { mountCredits } from "../features/credits/routes.ts";
import { mountJobs } from "../features/jobs/http/job-routes.ts";
import { cancelJobsOf } from "../features/jobs/record/forget.ts";
import { createReceipts } from "../features/jobs/settle/receipt.ts";
import { revokeKeysOf } from "../features/keys/keys.ts";
import { createPersonByKey } from "../features/keys/person-by-key.ts";
import { mountKeys } from "../features/keys/routes.ts";
import { createPlaceOf, mountLocation } from "../features/location/location.ts";
import { removeAllRecipes } from "../features/recipes/recipes.ts";
import { removeAllWebhooks } from "../features/webhooks/endpoints.ts";
import { createApp } from "../http/app.ts";
import { createMount } from "../http/endpoint.ts";
import { mountHealth } from "../http/health.ts";
import { noteRoutes, refuseOtherMethods } from "../http/methods.ts";
import { measureRequests } from "../http/metrics.ts";
import { createNearestPath } from "../http/nearest-path.ts";
import { mountOpenApi } from "../http/openapi.ts";
import { mountSecurityContact } from "../http/security-contact.ts";
import { serveSite } from "../http/site.ts";
import { openCountries } from "../platform/geo.ts";
import { acceptedKeys } from "../platform/keys.ts";
import { isLoopbackHost, isPrivateHost } from "../platform/loopback.ts";
import type { MailOutbox } from "../platform/mail-outbox.ts";
import { networkKey } from "../platform/network.ts";
import { releaseVersion } from "../platform/release.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { type Customers, mountCustomers } from "./customers.ts";
import { chooseIdentity } from "./identity.ts";
import { createNewAccounts } from "./new-accounts.ts";
import { type MountDependencies, mountOperations, type Outgoing } from "./operations.ts";
import { checkPlansAtStart, type choosePayments, listeningUrl, type PaymentsChoice } from "./payments.ts";
import { createReadiness } from "./readiness.ts";
import { offerSetUp } from "./set-up.ts";

export type Api = Outgoing & Customers & { app: FastifyInstance; payments: PaymentsChoice };

export type ApiDependencies = Omit<MountDependencies, "app" | "mount" | "authenticate" | "networkOf"> & {
  outbox: MailOutbox;
  verifiesAddresses: boolean;
  tracing: Tracing;
  isStopping(): boolean;
  openPayments: ReturnType<typeof choosePayments>;
};

const builtSite = fileURLToPath(new URL("../../../web/build/client", import.meta.url));

/** What ends when an address's owner takes over an account that another person made. */
const createTakeOver = ({ stores: { db }, jobs }: Pick<ApiDependencies, "stores" | "jobs">): TakeOver => ({
  async removeMade(tx, accountId) {
    await revokeKeysOf(tx, accountId, undefined);
    await removeAllWebhooks(tx, accountId);
    await removeAllRecipes(tx, accountId);
  },
  cancelJobs: (holder) => cancelJobsOf({ db, cancel: jobs.cancel }, holder),
});

function warnOfPlainHttp(origin: string, log: FastifyBaseLogger): void {
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:" || isPrivateHost(hostname)) return;
  log.warn(
    { origin },
    "TINTYPE_ORIGIN is plain http outside a private network: everyone on the way can read passwords and pictures. Put a reverse proxy with TLS in front, and set TINTYPE_ORIGIN to its https address (docs/operations.md)",
  );
}

/** Builds the public server: every route of the API, the identity provider and the site. */
export async function createApi(dependencies: ApiDependencies): Promise<Api> {
  const { config, logger, clock, ledger, jobs, metrics } = dependencies;
  const { db } = dependencies.stores;
  const { rateLimits } = dependencies.links;
  const networkOf = (address: string) => networkKey(address, config.keys.networks);
  const takeOver = createTakeOver(dependencies);
  const identity = await chooseIdentity(config, {
    ...dependencies,
    db,
    takeOver,
    rateLimits,
    log: logger,
    meter: metrics,
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
  const secureCookies = config.origin.startsWith("https:");
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
    secureCookies,
  });
  if (config.TINTYPE_MODE === "private") warnOfPlainHttp(config.origin, logger);
  const mount = createMount(app, authenticate);
  const mounted = { ...dependencies, app, mount, authenticate, networkOf };
  const payments = dependencies.openPayments({ db, clock, log: logger, ownUrl: () => listeningUrl(app), webhookPath });
  await checkPlansAtStart(payments, logger);
  await payments.sandbox?.mount(app);
  const accepts = { urls: config.TINTYPE_URL_INPUT, webhooks: config.TINTYPE_WEBHOOKS };
  mountOpenApi(app, { origin: config.origin, version: releaseVersion, accepts, name: config.brand.name });
  mountConfig(mount, {
    settings: {
      mode: config.TINTYPE_MODE,
      version: releaseVersion,
      identity: identity.settings,
      access: config.access,
      payments: payments.settings,
      url_input: accepts.urls,
      webhooks: accepts.webhooks,
    },
    usageOf: (caller) => ledger.usage(caller),
    async invitationOf(request) {
      const token = invitationTokenOf(request, secureCookies);
      return token === undefined ? undefined : findByToken(db, { token, now: clock.now() });
    },
  });
  mountJoin(app, { db, clock, secure: secureCookies });
  await offerSetUp(app, { db, clock, config, log: logger });
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
  const customers = await mountCustomers({
    ...mounted,
    payments,
    builtInIssuer: identity.provider ? identity.rules.issuer : undefined,
    currencyFor: (request) => placeOf(request).currency,
  });
  mountKeys(mount, { db, clock, origin: config.origin });
  const outgoing = await mountOperations(mounted);
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
  return { app, payments, ...customers, ...outgoing };
}
