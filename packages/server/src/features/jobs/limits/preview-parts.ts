import { DomainError } from "@tintype/contract";
import { freeCells, type SourceRegion, sourceCells } from "@tintype/imaging";
import { sql } from "drizzle-orm";
import { dayMs } from "../../../platform/clock.ts";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { hashFile } from "../../../platform/hash-file.ts";
import { countersOf, type FreeWorker } from "./free-work.ts";

/** A part of a picture that a preview shows pixel by pixel. `path`: the picture's file. */
export type PreviewPart = { path: string; region: SourceRegion };

/**
 * Counts the part's cells as seen by the caller and by the networks around it, for a day from the first. Together, previews of a
 * picture would otherwise be its whole result. Cells seen before cost nothing, so other settings can be tried on them. A wider
 * network has no more cells than a single one: more than half of the picture would be all of it.
 * @throws cannot-process when more than half of the picture's cells would be seen; then nothing is counted
 */
export async function takePreviewPart(
  db: Database,
  { path, region, now, ...worker }: FreeWorker & PreviewPart & { now: Date },
): Promise<void> {
  const cells = sourceCells(region);
  const limit = freeCells(cells.length);
  if (cells.replaceAll("0", "").length > limit) throw partsSeen();
  // Grids of different sizes cannot be joined.
  const picture = [await hashFile(path, "base64url"), region.page ?? 1, cells.length].join(".");
  // A fixed lock order prevents deadlocks.
  const keys = countersOf(worker)
    .map(({ key }) => key)
    .toSorted();
  const isOver = sql`p.since <= ${windowStart(now)}`;
  const joined = sql`(p.cells | excluded.cells)`;
  await db.transaction(async (tx) => {
    // Concurrent parts wait for each other's rows, and each sees the cells of those before it.
    const taken = await rowsOf(
      tx.execute(sql`
        insert into preview_parts as p (key, picture, cells, since)
        select key, ${picture}, ${cells}::varbit, ${now.toISOString()}::timestamptz
        from unnest(${sql.param(keys)}::text[]) as key order by key
        on conflict (key, picture) do update set
          cells = case when ${isOver} then excluded.cells else ${joined} end,
          since = case when ${isOver} then excluded.since else p.since end
        where ${isOver} or ${joined} = p.cells or bit_count(${joined}) <= ${limit}::int
        returning key`),
    );
    if (taken.length < keys.length) throw partsSeen();
  });
}

const partsSeen = () => new DomainError("cannot-process", { reason: { code: "preview-parts-seen" } });

export async function forgetPreviewParts(db: Database, now: Date): Promise<void> {
  await db.execute(sql`delete from preview_parts where since <= ${windowStart(now)}`);
}

const windowStart = (now: Date) => sql`${new Date(now.getTime() - dayMs).toISOString()}::timestamptz`;
