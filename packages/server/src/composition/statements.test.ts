import pg from "pg";
import { expect, test } from "vitest";
import { builtInOf, testPassword } from "../testing/built-in.ts";
import { createCaller, startTestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

/** Tables that grow with people, work and payments. The others hold what is under way, a few rows for each process. */
const growing = new Set([
  "accounts",
  "allowances",
  "api_keys",
  "credit_entries",
  "idempotency_keys",
  "idp_account",
  "idp_passkey",
  "idp_session",
  "idp_two_factor",
  "idp_user",
  "idp_verification",
  "invoices",
  "job_files",
  "jobs",
  "kept_counters",
  "outbox_mails",
  "payments",
  "receipts",
  "recipes",
  "reservations",
  "subscriptions",
  "webhook_deliveries",
  "webhook_endpoints",
]);

type Statement = { text: string; values: unknown[] };
type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
};

/** Every statement with its values, from now on until `stop` is called. Each text once. */
function recordStatements() {
  const found = new Map<string, Statement>();
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof first === "string" ? first : first?.text;
    const values = (typeof first === "object" ? first?.values : undefined) ?? (Array.isArray(second) ? second : []);
    if (text && /^\s*(select|insert|update|delete|with)\b/i.test(text)) found.set(text, { text, values });
    return Reflect.apply(query, this, given);
  };
  pg.Client.prototype.query = recording as typeof query;
  return {
    stop() {
      pg.Client.prototype.query = query;
      return [...found.values()];
    },
  };
}

/** Reads of a growing table that no index serves: its rows one by one, or a whole index. */
function scansIn(plan: Plan): string[] {
  const table = plan["Relation Name"] ?? "";
  const isScan =
    plan["Node Type"] === "Seq Scan" ||
    (/^Index (Only )?Scan/.test(plan["Node Type"]) && plan["Index Cond"] === undefined && !isPartial(plan));
  const own = isScan && growing.has(table) ? [`${plan["Node Type"]} on ${table}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

const indexesIn = (plan: Plan): string[] => [plan["Index Name"] ?? [], ...(plan.Plans ?? []).map(indexesIn)].flat();

const partialIndexes = new Set<string>();
/** The whole of a partial index is what is due, or under way. */
const isPartial = (plan: Plan) => partialIndexes.has(plan["Index Name"] ?? "");

// A plan over empty tables tells nothing by its cost; without sequential scans it tells whether an index would serve.
test("no statement of a call, a sign-in or the sweep reads a growing table row by row", {
  timeout: 240_000,
}, async () => {
  const recording = recordStatements();
  const origin = "http://localhost:54338";
  const app = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_BRAND: JSON.stringify({
        legal: { entity: "Salt Ltd", address: "Pune" },
        invoices: { from: "2026-01-01", tax: { kind: "none" } },
      }),
    },
  });
  try {
    const idp = builtInOf(app, origin);
    const email = "scan@example.com";
    await idp.signUp(email);
    const { session } = await idp.signIn(email, testPassword);
    const person = await idp.caller(session);
    const guest = createCaller(app.baseUrl);
    const picture = { name: "a.png", bytes: samplePng(30, 20) };
    await guest.call("/api/config");
    expect((await guest.run("convert", [picture], { target_format: "webp" })).status).toBe(200);
    const begun = await person.run("convert", [picture], { target_format: "webp" }, { prefer: "respond-async" });
    expect(begun.status, await begun.text()).toBe(202);
    const job = begun.headers.get("location") ?? "";
    await expect.poll(async () => ((await (await person.call(job)).json()) as { state: string }).state).toBe("done");
    expect((await person.call(`${job}/result`)).status).toBe(200);
    expect((await person.call(`${job}/receipt`)).status).toBe(200);
    for (const path of [
      "/user-info",
      "/jobs",
      "/usage",
      "/credits/history",
      "/keys",
      "/webhooks",
      "/recipes",
      "/transactions",
      "/invoices",
    ])
      expect((await person.call(`/api${path}`)).status, path).toBeLessThan(500);
    expect((await idp.ask("/sessions", { session })).status).toBe(200);
    await idp.ask("/request-password-reset", { json: { email } });
    await app.sweep();
    const statements = recording.stop();
    expect(statements.length).toBeGreaterThan(40);

    const pool = (app.db as unknown as { $client: pg.Pool }).$client; // drizzle's own member, which its type lacks
    const client = await pool.connect();
    try {
      const partial = await client.query<{ name: string }>(
        "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indpred is not null",
      );
      for (const { name } of partial.rows) partialIndexes.add(name);
      const scans: string[] = [];
      const used = new Set<string>();
      for (const { text, values } of statements) {
        await client.query("begin");
        await client.query("set local enable_seqscan = off; set local enable_bitmapscan = off");
        const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>({
          text: `explain (format json) ${text}`,
          values,
        });
        await client.query("rollback");
        const [{ Plan: plan }] = rows[0]?.["QUERY PLAN"] ?? [{ Plan: { "Node Type": "" } }];
        for (const index of indexesIn(plan)) used.add(index);
        for (const scan of scansIn(plan)) scans.push(`${scan}: ${text.replaceAll(/\s+/g, " ").slice(0, 300)}`);
      }
      expect(scans).toEqual([]);
      // The sweep of invoices reads what is due, and not the days of all payments.
      expect([...used]).toEqual(expect.arrayContaining(["payments_uninvoiced", "payments_returned"]));
    } finally {
      client.release();
    }
  } finally {
    recording.stop();
    await app.close();
  }
});
