import { sql } from "drizzle-orm";
import { type Database, rowsOf } from "../platform/db/database.ts";

type Seed = {
  /** Rows per ledger entry. */
  share: number;
  /** SQL for columns, from the row's number `n` and the number of people `people`. Default: values that fit the type. */
  columns?: Record<string, string>;
};

const person = "'acc_seed' || (n % :people)";
const holder = `case when n % 4 = 0 then 'guest:seed' || (n % :people) else 'person:' || ${person} end`;
/** Times of the last year, newest for the largest n. */
const inTheYear = "now() - interval '1 year' + n * (interval '1 year' / :rows)";
/** Sent mails are kept for 90 days, events of the gateway for 30. */
const inTheMonth = "now() - interval '29 days' + n * (interval '29 days' / :rows)";
/** Jobs are kept for a day. */
const today = "now() - interval '1 day' + n * (interval '1 day' / :rows)";
const job = "'job_seed' || lpad(n::text, 9, '0')";

/**
 * Tables that grow with people, work and payments, ordered by their references, in the proportions of a service whose
 * people use 50 credits each. The others hold work in progress, a few rows per process.
 */
const seeds: Record<string, Seed> = {
  accounts: {
    share: 1 / 50,
    columns: {
      id: "'acc_seed' || (n - 1)",
      subject: "'seed' || n",
      email: "'seed' || n || '@example.com'",
      created_at: inTheYear,
    },
  },
  allowances: {
    share: 1 / 40,
    columns: { holder: "'person:acc_seed' || (n - 1)", month: "to_char(now(), 'YYYY-MM')" },
  },
  api_keys: { share: 1 / 400, columns: { account_id: person, scopes: "'{process}'", hash: "'hash' || n" } },
  credit_entries: {
    share: 1,
    columns: {
      id: "n + 1000000000",
      holder,
      kind: "'charge'",
      at: inTheYear,
      day: `(${inTheYear})::date`,
      job_id: job,
      file_index: "0",
      operation: "case when n % 3 = 0 then 'convert' else 'compress' end",
      tier: "case when n % 4 = 0 then 'guest' when n % 7 = 0 then 'pro' else 'hobby' end",
      network: "case when n % 4 = 0 then 'network' || (n % 5000) end",
    },
  },
  jobs: {
    share: 1 / 20,
    columns: {
      id: job,
      owner: holder,
      tier: "'hobby'",
      operation: "'compress'",
      state: "case when n % 20 = 0 then 'failed' else 'done' end",
      created_at: today,
      finished_at: today,
      removed_at: today,
      request_id: "'req_seed' || n",
    },
  },
  job_files: {
    share: 1 / 20,
    columns: {
      job_id: job,
      file_index: "0",
      class: "'picture'",
      lane: "'normal'",
      state: "case when n % 20 = 0 then 'failed' else 'done' end",
      code: "case when n % 20 = 0 then 'engine-failed' end",
      queue_key: holder,
      waiting_since: today,
      offered_at: today,
      delivery: "'whole'",
    },
  },
  idempotency_keys: { share: 1 / 20, columns: { owner: holder, key: "'key' || n", created_at: today } },
  preview_parts: { share: 1 / 20, columns: { key: holder, picture: "'picture' || n", cells: "B'10'", since: today } },
  result_chains: { share: 1 / 400, columns: { job_id: `${job} || 'c'`, owner: holder, until: today } },
  result_digests: { share: 1 / 400, columns: { digest: "'digest' || n", job_id: `${job} || 'c'`, until: today } },
  receipts: { share: 1 / 4, columns: { job_id: `${job} || 'r'`, owner: holder, finished_at: inTheYear } },
  reservations: { share: 1 / 20, columns: { id: "'res_seed' || n", holder, open: "0" } },
  credit_grants: { share: 1 / 400, columns: { id: "'grt_seed' || n", holder } },
  kept_counters: { share: 1 / 200, columns: { key: "'kept' || n", until: "now() + interval '20 days'" } },
  idp_user: { share: 1 / 50, columns: { id: "'seed' || n", email: "'seed' || n || '@example.com'" } },
  idp_account: {
    share: 1 / 50,
    columns: { id: "'ida' || n", user_id: "'seed' || n", account_id: "'seed' || n", provider_id: "'credential'" },
  },
  idp_session: {
    share: 1 / 50,
    columns: {
      id: "'ids' || n",
      user_id: "'seed' || n",
      token: "'token' || n",
      expires_at: "now() + interval '5 days'",
    },
  },
  idp_passkey: { share: 1 / 400, columns: { user_id: "'seed' || n" } },
  idp_two_factor: { share: 1 / 400, columns: { user_id: "'seed' || n" } },
  deleted_identities: { share: 1 / 400 },
  idp_verification: { share: 1 / 200, columns: { id: "'idv' || n", expires_at: "now() + interval '1 hour'" } },
  subscriptions: {
    share: 1 / 200,
    columns: {
      id: "'sub_seed' || n",
      account_id: person,
      gateway_id: "'gw_seed' || n",
      plan: "'pro'",
      cycle: "'monthly'",
      state: "'active'",
      sent_stop: "'none'",
      created_at: inTheYear,
      wake_at: "now() + interval '20 days'",
    },
  },
  payments: {
    share: 1 / 50,
    columns: {
      id: "'pay_seed' || n",
      account_id: person,
      subscription_id: "'sub_seed' || (n / 4)",
      plan: "'pro'",
      cycle: "'monthly'",
      currency: "'USD'",
      status: "'captured'",
      refund: "'none'",
      at: inTheYear,
      is_invoiced: "true",
    },
  },
  invoices: {
    share: 1 / 50,
    columns: {
      id: "'inv_seed' || n",
      kind: "'invoice'",
      sequence: "n",
      number: "'S' || n",
      account_id: person,
      payment_id: "'pay_seed' || n",
      issued_at: inTheYear,
    },
  },
  audit_lines: {
    share: 1 / 25,
    columns: {
      id: "n + 1000000000",
      at: inTheYear,
      account_id: person,
      kind: "case when n % 8 = 0 then 'plan-changed' else 'renewed' end",
      detail: `'{"from": "hobby", "to": "pro"}'`,
    },
  },
  gateway_events: { share: 1 / 50, columns: { received_at: inTheMonth } },
  billing_details: { share: 1 / 400, columns: { account_id: "'acc_seed' || (n - 1)" } },
  outbox_mails: { share: 1 / 20, columns: { key: "'welcome:seed' || n", account_id: person, created_at: inTheMonth } },
  recipes: { share: 1 / 400, columns: { id: "'rec_seed' || n", account_id: person, name: "'recipe' || n" } },
  webhook_endpoints: { share: 1 / 400, columns: { id: "'end_seed' || n", account_id: person } },
  webhook_deliveries: {
    share: 1 / 50,
    columns: {
      id: "'msg_seed' || n",
      account_id: person,
      endpoint_id: "'end_seed' || (1 + n % :endpoints)",
      job_id: job,
      state: "'sent'",
    },
  },
  contact_messages: { share: 1 / 500, columns: { at: inTheYear, sent_at: inTheYear, answered_at: inTheYear } },
  admin_audit: { share: 1 / 500, columns: { id: "n + 1000000000", action: "'job-ended'", at: inTheYear } },
};

/** The tables that `seedRows` fills. */
export const growingTables: ReadonlySet<string> = new Set(Object.keys(seeds));

const usual: Record<string, string> = {
  text: "'seed' || n",
  integer: "1",
  bigint: "1",
  boolean: "false",
  date: "current_date",
  jsonb: "'{}'::jsonb",
  "timestamp with time zone": "now()",
};

type Seeded = {
  /** Rows per table. */
  rows: Readonly<Record<string, number>>;
};

const rowsAtOnce = 50_000;

/** Fills every growing table for this many ledger entries, each with at least `least` rows, and updates the planner's statistics. */
export async function seedRows(db: Database, { entries, min = 0 }: { entries: number; min?: number }): Promise<Seeded> {
  const rowsIn = (table: string) => Math.max(min, Math.floor(entries * (seeds[table]?.share ?? 0)));
  const rows: Record<string, number> = {};
  for (const [table, { columns = {} }] of Object.entries(seeds)) {
    const numbers: Record<string, number> = {
      rows: rowsIn(table),
      people: rowsIn("accounts"),
      endpoints: rowsIn("webhook_endpoints"),
    };
    const wanted = await rowsOf<{ name: string; type: string }>(
      db.execute(sql`
        select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null`),
    );
    const values = { ...Object.fromEntries(wanted.map(({ name, type }) => [name, usual[type] ?? "null"])), ...columns };
    const filled = Object.values(values).map((value) =>
      value.replace(/:(people|rows|endpoints)\b/g, (_, name: string) => String(numbers[name])),
    );
    const names = Object.keys(values).map((name) => `"${name}"`);
    const count = rowsIn(table);
    // In parts: a long statement would be taken for a hanging server.
    for (let first = 1; first <= count; first += rowsAtOnce)
      await db.execute(
        sql.raw(`
          insert into "${table}" (${names.join(", ")}) select ${filled.join(", ")}
          from generate_series(${first}, ${Math.min(count, first + rowsAtOnce - 1)}) n`),
      );
    rows[table] = count;
  }
  // As autovacuum would.
  await db.execute(sql`vacuum analyze`);
  return { rows };
}
