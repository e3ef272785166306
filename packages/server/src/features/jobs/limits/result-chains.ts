import { createHmac } from "node:crypto";
import { isPrivate, maxRecipeSteps, type TaskName, tasks } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Queryable, rowsOf, type Transaction } from "../../../platform/db/database.ts";
import { chargedFiles } from "../../credits/ledger.ts";

// Equal price for equal work: a recipe of steps without a network costs one credit, so a further such step on a result that is
// still here costs nothing. A chain is what one charged file pays for: at most as many steps as a recipe has, on any of its
// results, in whatever order.

/** The charged file that pays for a chain. */
export type ResultChain = { jobId: string; index: number };

/** A picture of a request, by the SHA-256 of its bytes (hex). */
type SentPicture = { index: number; sha256: string };

/** Of nobody else's result, and useless without the server's secret: what is stored identifies no picture. */
const digestOf = (resultKey: string, { owner, sha256 }: { owner: string; sha256: string }) =>
  createHmac("sha256", resultKey).update(`${owner}\n${sha256}`).digest("base64url");

/** Whether steps can continue a result for free: none runs a network. */
export const canContinue = (steps: readonly { operation: TaskName }[]): boolean =>
  !isPrivate() && steps.every(({ operation }) => tasks[operation].work !== "model");

type Continuing = {
  resultKey: string;
  owner: string;
  /** The number of steps that each picture gets. */
  steps: number;
  pictures: readonly SentPicture[];
  now: Date;
};

type Match = { index: number; chain: ResultChain; steps: number };

/**
 * The pictures that are results whose charge was not refunded, with what is counted of their chains. Before a charged file is
 * delivered, its credit can come back (it is cancelled or discarded), and a caller who knows its bytes would get steps for nothing.
 */
async function findResults(
  db: Queryable,
  { resultKey, owner, pictures, now }: Omit<Continuing, "steps">,
): Promise<Match[]> {
  const byDigest = Map.groupBy(pictures, ({ sha256 }) => digestOf(resultKey, { owner, sha256 }));
  if (byDigest.size === 0) return [];
  const rows = await rowsOf<{ digest: string; job_id: string; file_index: number; steps: number }>(
    db.execute(sql`
      select d.digest, c.job_id, c.file_index, c.steps from result_digests d
      join result_chains c on c.job_id = d.job_id and c.file_index = d.file_index
      where d.digest = any(${sql.param([...byDigest.keys()])}::text[]) and d.until > ${now.toISOString()}::timestamptz
        and exists (
          select 1 from jobs j join job_files f on f.job_id = j.id and f.file_index = c.file_index
          where (j.id = c.job_id or j.charge_job_id = c.job_id) and f.delivery in ('begun', 'whole'))`),
  );
  const charged = new Map<string, Set<number>>();
  for (const jobId of new Set(rows.map(({ job_id }) => job_id))) charged.set(jobId, await chargedFiles(db, jobId));
  return rows
    .filter(({ job_id, file_index }) => charged.get(job_id)?.has(file_index))
    .flatMap(({ digest, job_id: jobId, file_index, steps }) =>
      (byDigest.get(digest) ?? []).map(({ index }) => ({ index, chain: { jobId, index: file_index }, steps })),
    );
}

/** The indexes of the pictures that `continueResults` would continue now. */
export async function predictContinued(db: Queryable, continuing: Continuing): Promise<Set<number>> {
  const counted = new Map<string, number>();
  const continued = new Set<number>();
  for (const { index, chain, steps } of await findResults(db, continuing)) {
    const key = `${chain.jobId}.${chain.index}`;
    const sum = (counted.get(key) ?? steps) + continuing.steps;
    if (sum > maxRecipeSteps) continue;
    counted.set(key, sum);
    continued.add(index);
  }
  return continued;
}

/**
 * Counts the steps in the chains of those pictures that are results of the same caller, made at most 14 minutes ago. Returns the
 * chains of those that have room: their work is free. Requests at the same time wait for each other's rows.
 */
export async function continueResults(tx: Transaction, continuing: Continuing): Promise<Map<number, ResultChain>> {
  const matches = await findResults(tx, continuing);
  // A fixed lock order prevents deadlocks.
  matches.sort((a, b) =>
    a.chain.jobId < b.chain.jobId ? -1 : a.chain.jobId > b.chain.jobId ? 1 : a.chain.index - b.chain.index,
  );
  const continued = new Map<number, ResultChain>();
  for (const { index, chain } of matches) {
    const counted = await rowsOf(
      tx.execute(sql`
        update result_chains set steps = steps + ${continuing.steps}::int
        where job_id = ${chain.jobId} and file_index = ${chain.index}::int
          and steps + ${continuing.steps}::int <= ${maxRecipeSteps}::int
        returning 1`),
    );
    if (counted.length > 0) continued.set(index, chain);
  }
  return continued;
}

/** Whether the caller has a result that could be continued: then an upload may cost nothing. */
export async function hasResults(db: Queryable, { owner, now }: { owner: string; now: Date }): Promise<boolean> {
  const rows = await rowsOf(
    db.execute(sql`
      select 1 from result_chains where owner = ${owner} and until > ${now.toISOString()}::timestamptz
        and steps < ${maxRecipeSteps}::int limit 1`),
  );
  return rows.length > 0;
}

/**
 * A result of a charged file begins a chain with the steps that made it. Another one joins the chain that it continues (`joins`),
 * if that is still there: a new one would count its steps from the start.
 */
export async function keepResult(
  db: Queryable,
  kept: {
    resultKey: string;
    owner: string;
    sha256: string;
    file: ResultChain;
    joins: ResultChain | undefined;
    steps: number;
    until: Date;
  },
): Promise<void> {
  const { file, joins, owner, steps } = kept;
  const until = sql`${kept.until.toISOString()}::timestamptz`;
  const chain = joins
    ? sql`
      update result_chains c set until = greatest(c.until, ${until})
      where c.job_id = ${joins.jobId} and c.file_index = ${joins.index}::int and c.owner = ${owner}`
    : sql`
      insert into result_chains as c (job_id, file_index, owner, steps, until)
      values (${file.jobId}, ${file.index}::int, ${owner}, ${steps}::int, ${until})`;
  await db.execute(sql`
    with chain as (${chain} returning c.job_id, c.file_index)
    insert into result_digests as d (digest, job_id, file_index, until)
    select ${digestOf(kept.resultKey, kept)}, job_id, file_index, ${until} from chain
    on conflict (digest) do update set
      job_id = excluded.job_id, file_index = excluded.file_index, until = excluded.until`);
}

export async function forgetResults(db: Queryable, now: Date): Promise<void> {
  await db.execute(sql`delete from result_digests where until <= ${now.toISOString()}::timestamptz`);
  await db.execute(sql`delete from result_chains where until <= ${now.toISOString()}::timestamptz`);
}
