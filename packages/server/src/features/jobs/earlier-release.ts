import { sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { keptMs } from "./job.ts";

/** Stands in `jobs.process` of what a process of the previous release left: no such process is ever alive. */
const goneProcess = "previous-release";

/**
 * Jobs of the previous release kept their files in one JSON column, and its process may run beside this one during an
 * upgrade. Jobs that have ended, or whose lease has run out, get rows as all jobs have them; the sweep then ends the unfinished
 * ones as interrupted, their credits returned. If this process alone has the database, none of the others is alive.
 */
export async function adoptOldJobs(
  db: Database,
  { clock, exclusive }: { clock: Clock; exclusive: boolean },
): Promise<void> {
  const now = clock.now().toISOString();
  await db.execute(sql`
    with old as (
      select *, state in ('queued', 'running') or (${exclusive}::boolean and waited and state = 'done' and removed_at is null) as is_left
      from jobs where steps is null
        and (${exclusive}::boolean or state not in ('queued', 'running') or lease_until < ${now}::timestamptz)
      for update skip locked),
    files as (
      insert into job_files (job_id, file_index, line, class, lane, tag, state, name, size_bytes, format, input, output,
        progress, source, result, notes, confidence, reason, code, delivery)
      select old.id, (f.place - 1)::int, old.owner, 'picture', 'normal', 1, f.file ->> 'state', f.file ->> 'name',
        (f.file ->> 'sizeBytes')::int, f.file ->> 'format', f.file ->> 'input', f.file ->> 'output',
        (f.file ->> 'progress')::float8, f.file -> 'source', f.file -> 'result', f.file -> 'notes',
        (f.file ->> 'confidence')::float8, f.file ->> 'reason', f.file ->> 'code', f.file ->> 'delivery'
      from old, jsonb_array_elements(old.files) with ordinality as f(file, place)),
    blobs as (
      insert into job_blobs (job_id, network, bytes, delete_after)
      select id, '', 0, coalesce(finished_at, ${now}::timestamptz) + ${keptMs([])}::int * interval '1 ms'
      from old where removed_at is null
      on conflict (job_id) do nothing)
    update jobs j set
      steps = jsonb_build_array(jsonb_build_object('operation', old.operation, 'options', old.options - 'background_blob')),
      inputs = case when old.options ? 'background_blob'
        then jsonb_build_array(jsonb_build_object('role', 'background', 'blob', old.options ->> 'background_blob'))
        else '[]'::jsonb end,
      process = case when old.is_left then ${goneProcess} end
    from old where j.id = old.id`);
}
