import { DomainError, type Limits } from "@tintype/contract";
import type { Holder } from "../credits/allowance.ts";
import { isKnownKey } from "../credits/idempotency.ts";
import { requireKeyRoom } from "../credits/key-limit.ts";
import { admitBytes, admitUpload, type Bounds, dropUpload, isUpload, type Upload } from "./limits/admission.ts";
import { queueFull } from "./limits/places.ts";
import { hasResults } from "./limits/result-chains.ts";
import type { Lease } from "./queue/lease.ts";
import { removePictures } from "./settle/remove-pictures.ts";
import type { SettleDependencies } from "./settle/settle.ts";

/** What is uploaded for a job that has not begun. */
export type Uploads = ReturnType<typeof createUploads>["calls"];

type UploadDependencies = Pick<SettleDependencies, "db" | "clock" | "ledger" | "blobs"> & {
  lease: Pick<Lease, "id">;
  bounds: Bounds;
};

/** `writeDown` repeats what cannot be recorded now. */
export function createUploads(dependencies: UploadDependencies, writeDown: (end: () => Promise<unknown>) => unknown) {
  const { db, clock, ledger, lease, bounds } = dependencies;
  /** Uploads in progress, or whose job has not started, with the holders of their bytes. */
  const holders = new Map<string, string>();
  let isRefusing = false;

  /**
   * Checks that a payer can pay for this many pictures before the server fetches them. `admit` checks for one.
   * @throws out-of-credits, network-allowance
   */
  const requireCredits = async (
    payer: Holder,
    { files, idempotencyKey: key }: { files: number; idempotencyKey: string | undefined },
  ): Promise<void> => {
    // A repeat of a charged request needs no credit.
    if (key !== undefined && (await isKnownKey(db, { owner: payer.key, key }))) return;
    await ledger.requireCredit(payer, files);
  };
  const calls = {
    /**
     * Reserves storage for an upload, and records its prefix. `payer` needs a credit, unless the key was already charged
     * or there is a result to continue.
     * @throws full, too-many-requests, out-of-credits, network-allowance, network-blocked, key-limit
     */
    async admit({
      payer,
      idempotencyKey,
      ...upload
    }: Omit<Upload, "isRepeat"> & { payer: Holder | undefined; idempotencyKey?: string | undefined }): Promise<void> {
      if (isRefusing) throw queueFull();
      if (payer)
        await requireCredits(payer, { files: 1, idempotencyKey }).catch(async (problem: unknown) => {
          // A further step on a result may be free. Whether these pictures are results is known once they have arrived.
          if (!(await hasResults(db, { owner: payer.key, now: clock.now() }))) throw problem;
        });
      const isRepeat =
        payer !== undefined &&
        idempotencyKey !== undefined &&
        (await isKnownKey(db, { owner: payer.key, key: idempotencyKey }));
      if (payer && !isRepeat) await requireKeyRoom(db, payer, { now: clock.now(), files: 1 });
      await admitUpload({ db, clock, bounds, process: lease.id }, { ...upload, isRepeat });
      holders.set(upload.jobId, upload.holder);
    },
    requireCredits,
    /** Reserves storage for further bytes that are uploaded, or that the server fetches. @throws full, too-many-requests */
    async admitBytes(jobId: string, bytes: number, limits: Limits): Promise<void> {
      const holder = holders.get(jobId);
      if (holder === undefined) throw new DomainError("interrupted");
      await admitBytes({ db, bounds }, { jobId, holder, bytes, limits });
    },
    /** Abandons an upload. If the store or the database does not respond now, it is removed later. */
    async drop(id: string): Promise<void> {
      holders.delete(id);
      try {
        if (await isUpload(db, id)) await removePictures(dependencies, id, { isDelivered: false });
      } catch {
        void writeDown(() => dropUpload(db, { jobId: id, now: clock.now() }));
      }
    },
  };
  return {
    calls,
    /** Its job has begun. */
    end: (id: string) => holders.delete(id),
    count: () => holders.size,
    /** Admits no further upload. */
    refuse() {
      isRefusing = true;
    },
  };
}
