import pg from "pg";
import type { Database } from "../platform/db/database.ts";

/** `runs`: how many times it was executed. */
export type Statement = { text: string; values: unknown[]; runs: number };
export type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  "Actual Total Time"?: number;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};

/** Records every statement with its values until `stop` is called, each text once. */
export function recordStatements(): { stop(): Statement[] } {
  const found = new Map<string, Statement>();
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given as [string | { text?: string; values?: unknown[] }, unknown];
    const text = typeof first === "string" ? first : first?.text;
    const values = (typeof first === "object" ? first?.values : undefined) ?? (Array.isArray(second) ? second : []);
    if (text && /^\s*(select|insert|update|delete|with)\b/i.test(text))
      found.set(text, { text, values, runs: (found.get(text)?.runs ?? 0) + 1 });
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

/** A connection of the database's own pool. */
export const connectionOf = (db: Database): Promise<pg.PoolClient> =>
  (db as unknown as { $client: pg.Pool }).$client.connect(); // drizzle's own member, which its type lacks

type Explain = {
  /** Planner settings, as `set local` takes them. */
  settings?: readonly string[];
  /** Executes it too, and reports times. Its changes are rolled back. */
  analyze?: boolean;
};

/** How PostgreSQL executes a statement. Its changes are rolled back. */
export async function explain(
  client: pg.ClientBase,
  { text, values }: Statement,
  { settings = [], analyze = false }: Explain = {},
): Promise<Plan> {
  await client.query("begin");
  try {
    for (const setting of settings) await client.query(`set local ${setting}`);
    const ask = async (how: string) => {
      type Row = { "QUERY PLAN": [{ Plan: Plan }] };
      const { rows } = await client.query<Row>({ text: `explain (format json${how}) ${text}`, values });
      return rows[0]?.["QUERY PLAN"][0].Plan ?? { "Node Type": "" };
    };
    if (!analyze) return await ask("");
    await client.query("savepoint before");
    try {
      return await ask(", analyze");
    } catch (problem) {
      // The row with these values already exists.
      if (!isConflict(problem)) throw problem;
      await client.query("rollback to savepoint before");
      return await ask("");
    }
  } finally {
    await client.query("rollback");
  }
}

/** Class 23 of SQLSTATE: an integrity constraint was violated. */
const isConflict = (problem: unknown) => problem instanceof pg.DatabaseError && problem.code?.startsWith("23") === true;

/** A plan's root node and all of its descendants. */
export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Partial indexes of what is due or in progress: reading all of one is not a table scan. */
export async function partialIndexes(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indpred is not null",
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Reads of one of these tables that no index serves: a table scan, or a whole index. A page in the order of an index does
 * not count: the limit directly above it, without a filter, ends it after that page.
 */
export function scansIn(
  plan: Plan,
  use: { tables: ReadonlySet<string>; partial: ReadonlySet<string> },
  above?: Plan,
): string[] {
  const { "Node Type": kind, "Relation Name": table = "", "Index Name": index = "" } = plan;
  const isPage = above?.["Node Type"] === "Limit" && plan.Filter === undefined;
  const isWhole = /^Index (Only )?Scan/.test(kind) && plan["Index Cond"] === undefined && !use.partial.has(index);
  const isScan = kind === "Seq Scan" || (isWhole && !isPage);
  const own = isScan && use.tables.has(table) ? [`${kind} on ${table}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((below) => scansIn(below, use, plan))];
}

/** Nodes of an executed plan that read more than `most` rows of one of these tables. */
export function manyRowsIn(plan: Plan, { tables, max }: { tables: ReadonlySet<string>; max: number }): string[] {
  return nodesOf(plan).flatMap((node) => {
    const table = node["Relation Name"] ?? "";
    const isRead = tables.has(table) && !node["Node Type"].startsWith("ModifyTable");
    const rows = Math.round(readBy(node));
    return isRead && rows > max ? [`${rows} rows of ${table}`] : [];
  });
}

const readBy = (node: Plan): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 0);
