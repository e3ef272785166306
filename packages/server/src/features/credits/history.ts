import type { CreditLine } from "@tintype/contract";
import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { pageOf, readCursor } from "../../platform/db/page.ts";
import { sumOf } from "./grants.ts";
import { creditEntries } from "./tables.ts";

type Page = { holder: string; before: string | undefined; size: number };
type Entry = typeof creditEntries.$inferSelect;

/**
 * A holder's ledger, newest first. All entries of a job form one line, placed by its charge: a later refund changes the
 * line without moving it to another page.
 * @throws invalid-request
 */
export async function listHistory(
  db: Database,
  { holder, before, size }: Page,
): Promise<{ lines: CreditLine[]; next: string | null }> {
  const after = readCursor(before, /^\d{1,15}$/);
  const isFirstOfRun = sql`not exists (
    select 1 from ${creditEntries} as earlier
    where earlier.job_id = ${creditEntries.jobId} and earlier.id < ${creditEntries.id})`;
  const heads = await db
    .select()
    .from(creditEntries)
    .where(
      and(
        eq(creditEntries.holder, holder),
        after === undefined ? undefined : lt(creditEntries.id, Number(after)),
        isFirstOfRun,
      ),
    )
    .orderBy(desc(creditEntries.id))
    .limit(size + 1);
  const { shown, next } = pageOf(heads, { size, cursorOf: ({ id }) => String(id) });
  const runs = await readRuns(
    db,
    shown.flatMap(({ jobId }) => jobId ?? []),
  );
  return { lines: shown.map((head) => lineOf(head, runs)), next };
}

/** A statement that clears the names of a job's files: the ledger keeps no name of a deleted picture. */
export const forgetFileNames = (jobId: string): SQL =>
  sql`update credit_entries set file_name = null where job_id = ${jobId} and file_name is not null`;

type Run = { files: number; file: string | null; credits: number; givenBack: number; reason: string | null };

/** The entries of each run, summed. */
async function readRuns(db: Database, jobIds: readonly string[]): Promise<Map<string | null, Run>> {
  if (jobIds.length === 0) return new Map();
  const isCharge = sql`filter (where ${creditEntries.kind} = 'charge')`;
  const rows = await db
    .select({
      jobId: creditEntries.jobId,
      files: sql<number>`(count(*) ${isCharge})::int`,
      file: sql<string | null>`min(${creditEntries.fileName}) ${isCharge}`,
      credits: sql<number>`coalesce(sum(${creditEntries.credits}) ${isCharge}, 0)::int`,
      givenBack: sql<number>`coalesce(-sum(${creditEntries.credits}) filter (where ${creditEntries.kind} = 'refund'), 0)::int`,
      reason: sql<string | null>`string_agg(distinct ${creditEntries.reason}, ' ')`,
    })
    .from(creditEntries)
    .where(inArray(creditEntries.jobId, jobIds))
    .groupBy(creditEntries.jobId);
  return new Map(rows.map(({ jobId, ...run }) => [jobId, run]));
}

const changes = {
  charge: "charged",
  // A refund never creates a line: the charge comes first.
  refund: "charged",
  reserve: "reserved",
  lapse: "lapsed",
  carry: "carried",
  adjust: "adjusted",
} as const;

function lineOf(head: Entry, runs: ReadonlyMap<string | null, Run>): CreditLine {
  const run = runs.get(head.jobId);
  return {
    id: String(head.id),
    at: head.at.toISOString(),
    operation: head.operation,
    change: changes[head.kind],
    files: run?.files ?? 0,
    file: run?.files === 1 ? run.file : null,
    credits:
      run?.credits ?? (head.kind === "adjust" ? head.credits - head.given - sumOf(head.grants ?? {}) : head.credits),
    given_back: run?.givenBack ?? 0,
    reason: run?.reason ?? null,
  };
}
