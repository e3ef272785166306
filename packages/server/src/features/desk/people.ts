import type { DeskPerson, FoundPerson, ListedPerson, PeopleOrder, Transaction } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { type Account, grantOf, holderOf, planOf } from "../accounts/accounts.ts";
import { findAccounts, getAccount, listAccounts, mailsOf, sessionsOf } from "../accounts/people.ts";
import { planStateOf } from "../billing/plan-state.ts";
import { subscriptionsOf } from "../billing/store.ts";
import { accountsOfPayment, listTransactions, refundStates } from "../billing/transactions.ts";
import { subscriptionView } from "../billing/user-info.ts";
import { messagesFrom } from "../contact/messages.ts";
import { windowEnd } from "../credits/allowance.ts";
import { listGrants } from "../credits/grants.ts";
import { listHistory } from "../credits/history.ts";
import { countBusy, listBusiest, usesOf } from "../credits/holders.ts";
import type { Ledger } from "../credits/ledger.ts";
import { findDetails } from "../invoices/buyer.ts";
import { exportInvoices } from "../invoices/list.ts";
import { listJobsOf, ownersOfJobs } from "../jobs/record/overview.ts";
import { listApiKeys } from "../keys/keys.ts";
import { createRecipes } from "../recipes/recipes.ts";
import { listWebhooks } from "../webhooks/endpoints.ts";
import { roleOf } from "./operators.ts";

export type DeskReadDependencies = {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  /** The issuer whose sessions we can see; undefined if another provider authenticates people. */
  builtInIssuer: string | undefined;
};

/** Rows per list on a person's page. */
const shownRows = 20;
/** Rows per page of an export. */
const exportedPage = 1_000;
/** Jobs are kept for a day and mails for 90 days: no account has more of them. */
const exportedRows = 10_000;

const foundOf = (account: Account, now: Date): FoundPerson => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerified,
  name: account.name,
  plan: planOf(account, now).plan,
  created_at: account.createdAt.toISOString(),
  blocked_at: account.blockedAt?.toISOString() ?? null,
});

type Search = { q: string; sort: PeopleOrder; before?: string | undefined; size: number };
type FoundPage = { people: ListedPerson[]; total: number; next: string | null };

/**
 * A page of all people; or those with an address or a name, a part of it, or the id of an account, a payment, a subscription, a job,
 * or a job's request. @throws invalid-request
 */
export async function findPeople(
  { db, clock }: Pick<DeskReadDependencies, "db" | "clock">,
  { q, sort, before, size }: Search,
): Promise<FoundPage> {
  const now = clock.now();
  const withUse = async (found: readonly Account[]): Promise<ListedPerson[]> => {
    const uses = await usesOf(db, { holders: found.map(({ id }) => holderOf(id)), now });
    return found.map((account) => ({
      ...foundOf(account, now),
      used: uses.get(holderOf(account.id)) ?? { month: 0, total: 0 },
    }));
  };
  if (q === "" && sort === "most-used") {
    const { holders, next } = await listBusiest(db, { before, size, now });
    const found = new Map((await findAccounts(db, peopleIn(holders))).map((account) => [account.id, account]));
    const sorted = peopleIn(holders).flatMap((id) => found.get(id) ?? []);
    return { people: await withUse(sorted), total: await countBusy(db, now), next };
  }
  const byId = before === undefined && q !== "" ? await findById(db, q) : [];
  if (byId.length > 0) return { people: await withUse(byId), total: byId.length, next: null };
  const { accounts, ...rest } = await listAccounts(db, { text: q, before, size });
  return { people: await withUse(accounts), ...rest };
}

/** The ids of the accounts among holders or owners. */
const peopleIn = (owners: readonly string[]) => owners.flatMap((owner) => /^person:(.+)$/.exec(owner)?.[1] ?? []);

async function findById(db: Database, text: string): Promise<Account[]> {
  if (text.includes("@")) return [];
  const ids = [text, ...peopleIn(await ownersOfJobs(db, { jobId: text })), ...(await accountsOfPayment(db, text))];
  const byId = await findAccounts(db, ids);
  // Callers choose their request ids, and may choose what is somebody else's id.
  return byId.length > 0 ? byId : findAccounts(db, peopleIn(await ownersOfJobs(db, { requestId: text })));
}

/** A person as a holder in the ledger, with their current plan. */
export const ledgerHolder = (account: Account, now: Date) => ({
  key: holderOf(account.id),
  tier: planOf(account, now).plan,
  accountId: account.id,
  emailVerified: account.emailVerified,
});

/** All of a person's data that fits on one page. @throws not-found */
export async function readPerson(
  dependencies: DeskReadDependencies,
  id: string,
  rowLimit = shownRows,
): Promise<DeskPerson> {
  const { db, clock, ledger, builtInIssuer } = dependencies;
  const account = await getAccount(db, id);
  const now = clock.now();
  const { used, limit, window } = await ledger.usage(ledgerHolder(account, now));
  const granted = grantOf(account, now);
  const { lines } = await listHistory(db, { holder: holderOf(id), before: undefined, size: rowLimit });
  const planState = planStateOf(await subscriptionsOf(db, id));
  const view = subscriptionView(planState, now);
  const { transactions } = await listTransactions(db, id, { size: rowLimit });
  return {
    ...foundOf(account, now),
    subscription: planState.current
      ? {
          id: view.subscription_id,
          status: view.subscription_status,
          billing_cycle: view.billing_cycle,
          renewal_date: view.renewal_date,
          next_plan: view.next_plan,
          keep_until: view.keep_until,
          price: view.price,
          next_price: view.next_price,
          price_change_refused: planState.current.move?.state === "refused",
        }
      : null,
    paid_plan: account.paidPlan,
    granted: granted ? { plan: granted.plan, until: granted.until.toISOString() } : null,
    credits: {
      used,
      limit,
      grants: (await listGrants(db, { holder: holderOf(id), now })).map(({ credits, left, endsAt }) => ({
        credits,
        left,
        until: endsAt?.toISOString() ?? null,
      })),
      window,
      resets_at: windowEnd(window, now)?.toISOString() ?? null,
      lines: withoutNames(lines),
    },
    jobs: await listJobsOf(db, holderOf(id), rowLimit),
    payments: await withRefunds(db, id, transactions),
    mails: (await mailsOf(db, account, rowLimit)).map(({ kind, createdAt, state, tries }) => ({
      kind,
      created_at: createdAt.toISOString(),
      state,
      tries,
    })),
    sessions:
      account.issuer === builtInIssuer
        ? (await sessionsOf(db, account)).map(({ id: session, userAgent, createdAt, updatedAt }) => ({
            id: session,
            browser: userAgent,
            created_at: createdAt.toISOString(),
            seen_at: updatedAt.toISOString(),
          }))
        : null,
    keys: await listApiKeys({ db, clock }, id),
    operator: (await roleOf(db, id)) ?? null,
  };
}

/** Operators see no names of pictures. */
const withoutNames = (lines: DeskPerson["credits"]["lines"]) => lines.map((line) => ({ ...line, file: null }));

async function withRefunds(db: Database, id: string, transactions: Transaction[]): Promise<DeskPerson["payments"]> {
  const refunds = await refundStates(db, id);
  return transactions.map((payment) => ({ ...payment, refund: refunds.get(payment.id) ?? "none" }));
}

type ReadPage<Row> = (before: string | undefined) => Promise<{ rows: Row[]; next: string | null }>;

/** Reads all pages. */
async function everyRow<Row>(read: ReadPage<Row>): Promise<Row[]> {
  const all: Row[] = [];
  let before: string | undefined;
  do {
    const { rows, next } = await read(before);
    all.push(...rows);
    before = next ?? undefined;
  } while (before !== undefined);
  return all;
}

/** Everything stored about a person, for their own use, including messages and the names of pictures in the ledger. */
export async function exportOf(dependencies: DeskReadDependencies, id: string): Promise<Record<string, unknown>> {
  const account = await getAccount(dependencies.db, id);
  const { operator: _operator, ...person } = await readPerson(dependencies, id, exportedRows);
  const lines = await everyRow(async (before) => {
    const page = await listHistory(dependencies.db, { holder: holderOf(id), before, size: exportedPage });
    return { rows: page.lines, next: page.next };
  });
  const transactions = await everyRow(async (before) => {
    const page = await listTransactions(dependencies.db, id, { before, size: exportedPage });
    return { rows: page.transactions, next: page.next };
  });
  return {
    exported_at: dependencies.clock.now().toISOString(),
    ...person,
    picture: account.picture,
    credits: { ...person.credits, lines },
    payments: await withRefunds(dependencies.db, id, transactions),
    billing_details: (await findDetails(dependencies.db, id)) ?? null,
    invoices: await exportInvoices(dependencies.db, id),
    // Anyone can type an address: messages sent under it are exported only to its verified owner.
    recipes: await createRecipes(dependencies).listOwn(id),
    webhooks: await listWebhooks(dependencies, id),
    messages: account.emailVerified ? await messagesFrom(dependencies.db, account.email) : [],
  };
}
