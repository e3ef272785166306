import type { Currency } from "@tintype/contract";
import type { FastifyRequest } from "fastify";
import { hasAccounts } from "../features/accounts/accounts.ts";
import { type DeleteAccountDependencies, mountDeleteAccount } from "../features/accounts/delete-account.ts";
import { mountAccountAlone, mountBilling } from "../features/billing/billing.ts";
import { removeAccountFromBilling } from "../features/billing/forget.ts";
import { mountContact } from "../features/contact/contact.ts";
import { forget as forgetContact } from "../features/contact/forget.ts";
import { forget as forgetCredits } from "../features/credits/forget.ts";
import { offerClaim } from "../features/desk/claim.ts";
import { createDeskMount } from "../features/desk/mount.ts";
import { roleOf } from "../features/desk/operators.ts";
import { mountDesk } from "../features/desk/routes.ts";
import { leaveInvoices } from "../features/invoices/forget.ts";
import { mountInvoices } from "../features/invoices/routes.ts";
import { removeAccountFromJobs } from "../features/jobs/record/forget.ts";
import type { MailOutbox } from "../platform/mail-outbox.ts";
import { readMailTransport } from "./mail.ts";
import type { MountDependencies } from "./operations.ts";
import type { PaymentsChoice } from "./payments.ts";

export type Customers = Awaited<ReturnType<typeof mountCustomers>>;

type CustomersDependencies = MountDependencies & {
  outbox: MailOutbox;
  payments: PaymentsChoice;
  /** Undefined without the built-in identity provider. */
  builtInIssuer: string | undefined;
  currencyFor(request: FastifyRequest): Currency;
};

/** Mounts payments, invoices, the deletion of accounts, and the operators' desk. */
export async function mountCustomers(dependencies: CustomersDependencies) {
  const { app, mount, authenticate, config, logger, clock, ledger, jobs, metrics, networkOf } = dependencies;
  const { outbox, payments, builtInIssuer, currencyFor } = dependencies;
  const { db } = dependencies.stores;
  const { rateLimits } = dependencies.links;
  const paying = { db, clock, log: logger, meter: metrics, origin: config.origin, brand: config.brand, ...payments };
  const billing =
    config.TINTYPE_MODE === "private"
      ? mountAccountAlone(mount, { db, ledger, clock, outbox })
      : await mountBilling(mount, app, { ...paying, ledger, outbox, currencyFor });
  const issuing = { db, clock, brand: config.brand, log: logger };
  const invoices = mountInvoices(mount, issuing);
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
  if (config.isProduction && !config.CONTACT_EMAIL)
    logger.warn(
      {},
      "CONTACT_EMAIL is not set: contact messages are stored in the database (table contact_messages) and not forwarded",
    );
  const contact = mountContact(mount, {
    db,
    clock,
    outbox,
    rateLimits,
    contactEmail: config.CONTACT_EMAIL,
    networkOf,
  });
  // Whoever has the embedded database's machine may read its log.
  const isFreshPrivate = config.TINTYPE_MODE === "private" && !(await hasAccounts(db));
  const claim =
    config.DATABASE_URL || isFreshPrivate ? undefined : await offerClaim(db, { origin: config.origin, log: logger });
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
  return { billing, invoices, contact };
}
