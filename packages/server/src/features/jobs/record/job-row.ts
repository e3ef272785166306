import type { InputFormat } from "@tintype/contract";
import type { PictureFacts } from "@tintype/imaging";
import { sql } from "drizzle-orm";
import type { FileRecord, JobRecord } from "./job.ts";
import type { StoredReason } from "./sentences.ts";

export type FileRow = Pick<
  FileRecord,
  "class" | "lane" | "state" | "tries" | "yields" | "network" | "name" | "input" | "progress" | "notes" | "delivery"
> & {
  file_index: number;
  priority: number;
  engine_ms: number;
  worker: string | null;
  size_bytes: number;
  format: InputFormat | null;
  output: string | null;
  stage: string | null;
  source: PictureFacts | null;
  result: NonNullable<FileRecord["result"]> | null;
  confidence: number | null;
  reason: StoredReason | null;
  code: string | null;
  smallest_bytes: number | null;
  chain_job_id: string | null;
  chain_index: number | null;
};

export type JobRow = Pick<
  JobRecord,
  "id" | "owner" | "tier" | "operation" | "steps" | "inputs" | "state" | "waited" | "charged" | "version"
> & {
  created_at: string;
  finished_at: string | null;
  removed_at: string | null;
  output: Exclude<JobRecord["output"], undefined> | null;
  file_rows: FileRow[];
};

/** The columns of a `JobRow`, with `jobs` aliased as `j`. */
export const jobColumns = sql.raw(`j.id, j.owner, j.tier, j.operation, j.steps, j.inputs, j.state, j.waited, j.charged,
  j.version, j.created_at, j.finished_at, j.removed_at,
  (select o.state from job_outputs o where o.job_id = j.id) as output,
  (select coalesce(json_agg(f order by f.file_index), '[]') from job_files f where f.job_id = j.id) as file_rows`);

const readDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const recordOf = (row: JobRow): JobRecord => ({
  id: row.id,
  owner: row.owner,
  tier: row.tier,
  operation: row.operation,
  steps: row.steps,
  inputs: row.inputs,
  state: row.state,
  waited: row.waited,
  charged: row.charged,
  version: row.version,
  files: row.file_rows.map(fileOf),
  createdAt: new Date(row.created_at),
  finishedAt: readDate(row.finished_at),
  removedAt: readDate(row.removed_at),
  ...(row.output === null ? {} : { output: row.output }),
});

export function fileOf(row: FileRow): FileRecord {
  const { worker, format, output, stage, source, result, confidence, reason, code } = row;
  return {
    index: row.file_index,
    class: row.class,
    lane: row.lane,
    priority: row.priority,
    state: row.state,
    tries: row.tries,
    yields: row.yields,
    engineMs: row.engine_ms,
    network: row.network,
    ...(worker === null ? {} : { worker }),
    name: row.name,
    sizeBytes: row.size_bytes,
    ...(format === null ? {} : { format }),
    input: row.input,
    ...(output === null ? {} : { output }),
    progress: row.progress,
    ...(stage === null ? {} : { stage }),
    ...(source === null ? {} : { source }),
    ...(result === null ? {} : { result }),
    notes: row.notes,
    ...(confidence === null ? {} : { confidence }),
    ...(reason === null ? {} : { reason }),
    ...(code === null ? {} : { code }),
    ...(row.smallest_bytes === null ? {} : { smallestBytes: row.smallest_bytes }),
    ...(row.chain_job_id === null || row.chain_index === null
      ? {}
      : { chain: { jobId: row.chain_job_id, index: row.chain_index } }),
    delivery: row.delivery,
  };
}
