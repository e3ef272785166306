import type { Bus } from "../../../platform/bus/bus.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Work, WorkClass } from "../../../platform/work/work.ts";
import { type ClaimedFile, claimNext, filesToYield, findOrphans, noteProgress, releaseFile } from "../queue/store.ts";
import { fileIdOf, offerOf } from "../record/job.ts";
import { publishProgress, type WorkerMessage } from "../record/messages.ts";

/** A file between its claim and its end. */
export type FileInWork = ClaimedFile & {
  abort: AbortController;
  since: number;
  progress: number;
  stage: string | undefined;
  /** What was published last. */
  published?: { at: number; stage: string | undefined };
  /** Engine time of this claim's finished steps. */
  engineMs: number;
  isYielding: boolean;
  /** SHA-256 of the stored result, hex, if it can be continued. */
  sha256?: string;
};

/** Progress of one file is published at most this often. A new stage is published at once. */
const publishGapMs = 150;
const defaultSliceMs = 10_000;
/** Rows of files that have run for less are not updated. */
const settledMs = 1_000;

export const idOf = ({ claim }: Pick<ClaimedFile, "claim">): string => fileIdOf(claim.jobId, claim.index);

export function reportProgress(bus: Bus, file: FileInWork, fraction: number, stage: string | undefined): void {
  file.progress = Math.min(1, Math.max(file.progress, fraction));
  file.stage = stage;
  const at = performance.now();
  if (file.published?.stage === stage && file.published && at - file.published.at < publishGapMs) return;
  file.published = { at, stage };
  const { jobId, index } = file.claim;
  publishProgress(bus, jobId, { index, progress: file.progress, ...(stage === undefined ? {} : { stage }) });
}

type TrackingOptions = {
  db: Database;
  work: Work;
  lease: { id: string };
  /** A file runs at least this long before it yields, doubled each time it has yielded. Default: 10 s. */
  sliceMs?: number;
};

/** The files that this worker has claimed. */
export function trackFiles({ db, work, lease: { id: worker }, sliceMs = defaultSliceMs }: TrackingOptions) {
  const files = new Map<string, FileInWork>();
  /** Claims whose responses are on their way. */
  const claims = new Set<Promise<unknown>>();

  return {
    /** Claims the file whose turn it is, whichever was offered. */
    claim(workClass: WorkClass, fileId: string) {
      const claiming = claimNext(db, { fileId, workClass, worker }).then((outcome) => {
        if (outcome.kind !== "claimed") return outcome;
        const file: FileInWork = {
          ...outcome.claimed,
          abort: new AbortController(),
          since: performance.now(),
          progress: 0,
          stage: undefined,
          engineMs: 0,
          isYielding: false,
        };
        files.set(idOf(file), file);
        return { ...outcome, file };
      });
      claims.add(claiming);
      return claiming.finally(() => claims.delete(claiming));
    },
    drop: (file: FileInWork) => files.delete(idOf(file)),
    stop({ stop: jobId, index }: WorkerMessage) {
      for (const { claim, abort } of files.values())
        if (claim.jobId === jobId && (index === undefined || claim.index === index)) abort.abort();
    },
    /** Writes the progress of files to their rows, and stops those that another worker owns. */
    async writeProgress() {
      const settled = [...files.values()].filter(({ since }) => performance.now() - since > settledMs);
      if (settled.length === 0) return;
      const ownIds = await noteProgress(db, worker, settled);
      for (const file of settled) if (!ownIds.has(idOf(file)) && files.get(idOf(file)) === file) file.abort.abort();
    },
    /** Stops one file that has used its slice while others wait: the one that loses the least work. */
    async yieldToOthers() {
      const ranMs = ({ since }: FileInWork) => performance.now() - since;
      const pastSlice = [...files.values()].filter(
        (one) => !one.isYielding && ranMs(one) >= sliceMs * 2 ** one.file.yields,
      );
      if (pastSlice.length === 0) return;
      const yielding = await filesToYield(db, worker, pastSlice.map(idOf));
      const [shortest] = pastSlice.filter((one) => yielding.has(idOf(one))).toSorted((a, b) => b.since - a.since);
      if (!shortest || files.get(idOf(shortest)) !== shortest) return;
      shortest.isYielding = true;
      shortest.abort.abort();
    },
    /** Releases rows that are assigned to this worker but not running: their end could not be written. */
    async releaseOrphans() {
      const orphans = await findOrphans(db, worker, [...files.keys()]);
      if (orphans.length === 0) return;
      // A claim whose response is still on its way is no orphan.
      await Promise.allSettled(claims);
      for (const { jobId, index, tries } of orphans) {
        if (files.has(fileIdOf(jobId, index))) continue;
        const released = await releaseFile(db, { jobId, index, tries, worker }, { isLoss: false });
        if (released) await work.offer([offerOf(jobId, released)]).catch(() => {});
      }
    },
  };
}
