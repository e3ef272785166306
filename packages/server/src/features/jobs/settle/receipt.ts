import { createPrivateKey, createPublicKey } from "node:crypto";
import { DomainError, isFinal, judgedView, type Receipt } from "@tintype/contract";
import { metadataRemovedBy, receiptDays } from "@tintype/contract/schemas";
import { metadataOf } from "@tintype/imaging";
import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { CompactSign, calculateJwkThumbprint, type JWK } from "jose";
import { type Clock, dayMs } from "../../../platform/clock.ts";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { type FileRecord, factsView, type JobRecord, keepsFilm, requestedSteps } from "../record/job.ts";
import { type JobRow, jobColumns, recordOf } from "../record/job-row.ts";
import { describeNotes, type StoredNote } from "../record/sentences.ts";
import { findJob } from "../record/store.ts";
import { jobs as jobTable, receipts as table } from "../tables.ts";

type Body = Omit<Receipt, "iss">;
type BodyFile = Body["files"][number];
/** As in the table: notes are coded, and become sentences when the receipt is fetched. */
type StoredFile = Omit<BodyFile, "notes" | "note_codes"> & { notes: readonly StoredNote[] };
type StoredBody = Omit<Body, "files"> & { files: StoredFile[] };
export type Receipts = {
  /** @throws not-found, job-not-finished */
  find(id: string, owners: readonly string[]): Promise<{ receipt: Receipt; jws: string }>;
  keys(): Promise<{ keys: PublicKey[] }>;
};
type PublicKey = { kty: string; crv: string; x: string; kid: string; alg: string; use: string };

/** Receipts of jobs: built from the job's rows while these exist, and stored for 30 days after that. */
export function createReceipts({
  db,
  clock,
  origin,
  seeds,
}: {
  db: Database;
  clock: Clock;
  origin: string;
  /** Key seeds, 32 bytes each. The first one signs; receipts signed with the others still verify. */
  seeds: readonly [Buffer, ...Buffer[]];
}): Receipts {
  const privateKey = receiptKey(seeds[0]);
  const publicKeys = Promise.all(seeds.map(publicKeyOf));

  const bodyOf = async (id: string, owners: readonly string[]): Promise<Body> => {
    const record = await findJob(db, id);
    if (record && owners.includes(record.owner)) {
      if (!isFinal(record.state)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
      return writeOut(receiptOf(record));
    }
    const since = new Date(clock.now().getTime() - receiptDays * dayMs);
    const [kept] = await db
      .select()
      .from(table)
      .where(and(eq(table.jobId, id), inArray(table.owner, [...owners]), gt(table.finishedAt, since)));
    if (!kept) throw new DomainError("not-found");
    return writeOut(kept.body as StoredBody); // only this file writes it
  };

  return {
    async find(id, owners) {
      const receipt: Receipt = { iss: origin, ...(await bodyOf(id, owners)) };
      const [{ kid } = { kid: "" }] = await publicKeys;
      const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(receipt)))
        .setProtectedHeader({ alg: "EdDSA", kid, typ: "tintype-receipt+jws" })
        .sign(privateKey);
      return { receipt, jws };
    },
    async keys() {
      return { keys: await publicKeys };
    },
  };
}

/** RFC 8410: the PKCS #8 prefix of an Ed25519 private key's 32 bytes. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** Derived from the service's secret: identical in every process, with nothing to store or lose. */
function receiptKey(seed: Buffer) {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
}

async function publicKeyOf(seed: Buffer): Promise<PublicKey> {
  // An Ed25519 JWK has these three members.
  const { kty, crv, x } = createPublicKey(receiptKey(seed)).export({ format: "jwk" }) as JWK & {
    kty: string;
    crv: string;
    x: string;
  };
  return { kty, crv, x, kid: await calculateJwkThumbprint({ kty, crv, x }), alg: "EdDSA", use: "sig" };
}

function receiptOf(job: JobRecord): StoredBody {
  const deletedAt = job.removedAt?.toISOString() ?? null;
  return {
    job: job.id,
    steps: requestedSteps(job.steps).map(({ operation }) => operation),
    state: job.state,
    created_at: job.createdAt.toISOString(),
    finished_at: (job.finishedAt ?? job.createdAt).toISOString(),
    originals_deleted_at: deletedAt,
    results_deleted_at: deletedAt,
    metadata_removed: [...metadataRemovedBy(metadataOf(job.steps), { keepsFilm: keepsFilm(job.steps) })],
    files: job.files.map(fileOf),
  };
}

function fileOf({ index, state, source, result, format, sizeBytes, notes, code }: FileRecord): StoredFile {
  return {
    index,
    state,
    notes,
    source: source ? factsView(source) : { size_bytes: sizeBytes, ...(format ? { format } : {}) },
    ...(result ? { result: factsView(result) } : {}),
    ...(result?.nothingSaved ? { nothing_saved: true as const } : {}),
    ...(result ? judgedView(result) : {}),
    ...(code === undefined ? {} : { code }),
  };
}

const writeOut = ({ files, ...body }: StoredBody): Body => ({
  ...body,
  files: files.map((file) => {
    const { notes, noteCodes } = describeNotes(file.notes);
    return { ...file, notes, ...(noteCodes ? { note_codes: noteCodes } : {}) };
  }),
});

const batchSize = 500;

/** Replaces the rows of jobs that ended before this time by their receipts, and deletes expired receipts. */
export async function replaceByReceipts(db: Database, { before, now }: { before: Date; now: Date }): Promise<void> {
  for (;;) {
    const done = await db.transaction(async (tx) => {
      const old = await rowsOf<JobRow>(
        tx.execute(sql`
          select ${jobColumns} from jobs j
          where j.finished_at < ${before.toISOString()}::timestamptz and j.removed_at is not null
          limit ${batchSize}::int for update of j skip locked`),
      );
      if (old.length === 0) return true;
      const values = old.map(recordOf).map((job) => ({
        jobId: job.id,
        owner: job.owner,
        body: receiptOf(job),
        finishedAt: job.finishedAt ?? job.createdAt,
      }));
      await tx.insert(table).values(values).onConflictDoNothing();
      await tx.delete(jobTable).where(
        inArray(
          jobTable.id,
          old.map(({ id }) => id),
        ),
      );
      return old.length < batchSize;
    });
    if (done) break;
  }
  await db.delete(table).where(lte(table.finishedAt, new Date(now.getTime() - receiptDays * dayMs)));
}
