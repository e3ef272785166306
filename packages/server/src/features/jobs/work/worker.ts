import type { Disk } from "../../../platform/disk.ts";
import { withTimeout } from "../../../platform/with-timeout.ts";
import type { Consumer, Offer, WorkClass } from "../../../platform/work/work.ts";
import type { Lease } from "../queue/lease.ts";
import { subscribeToWorker } from "../record/messages.ts";
import { idOf, trackFiles } from "./files-in-work.ts";
import { type FileWorkOptions, poolOf, workOnFile } from "./work-on-file.ts";

export type WorkerOptions = FileWorkOptions & {
  lease: Pick<Lease, "setTakesWork">;
  /** What engines read from and write to. */
  disk: Disk;
  classes: readonly WorkClass[];
  /** See `trackFiles`. */
  sliceMs?: number;
};

export type Worker = {
  /**
   * Asks whether the disk has room, writes the progress of files in work, stops those that another worker owns or that must yield, and releases rows that
   * are assigned to this worker but not running.
   */
  beat(): Promise<void>;
  /** Claims no further file, waits up to `graceMs` for those in work, then releases them. */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** Starts a consumer for each class, with one slot per engine of this machine. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { work, lease, meter, pools } = options;
  const files = trackFiles(options);
  /** The first files that were held back because their queue has its share of the engines, or that yielded. */
  const heldBack = new Map<string, Offer>();
  let offers = 0;
  let isClosing = false;

  /**
   * A finished turn frees one engine, for the first file that may run: one turn is offered for each lane, between which the queue
   * chooses. The claim tells which files are held back then.
   */
  const offerHeldBack = async () => {
    if (heldBack.size === 0 || isClosing) return;
    const lanes = Map.groupBy(heldBack.values(), ({ workClass, lane }) => `${workClass} ${lane}`);
    const first = [...lanes.values()].flatMap((held) => held.toSorted((a, b) => a.priority - b.priority).slice(0, 1));
    // Under ids of their own: a queue ignores an offer whose id has its turn, and that turn may be another file's.
    const next = first.map((offer) => ({ ...offer, fileId: `${offer.fileId}-${lease.id}-${offers++}` }));
    heldBack.clear();
    await work.offer(next).catch(() => {}); // the sweep offers them later
  };

  /** A turn belongs to whichever file is next, not to the one that it was offered for. */
  const takeTurn = async (workClass: WorkClass, offeredId: string) => {
    if (isClosing || turns.isDiskFull()) return;
    const outcome = await files.claim(workClass, offeredId);
    if (outcome.kind === "nothing") return;
    for (const offer of outcome.next) heldBack.set(offer.fileId, offer);
    if (outcome.kind === "held-back") {
      if (outcome.left.length > 0) await work.withdraw(outcome.left);
      return;
    }
    const { file } = outcome;
    heldBack.delete(idOf(file));
    try {
      meter.observeWait(file.file.class, file.waitedSeconds);
      await workOnFile(file, { ...options, isClosing: () => isClosing, isDiskFull: turns.checkDisk, heldBack }).finally(
        () => setImmediate(() => void offerHeldBack()),
      );
    } finally {
      files.drop(file);
    }
  };
  const turns = openTurns({ ...options, takeTurn });
  const unsubscribe = await subscribeToWorker(options.bus, lease.id, files.stop);
  await turns.start();

  return {
    async beat() {
      await turns.checkDisk();
      await files.writeProgress();
      if (!isClosing) await files.yieldToOthers();
      await offerHeldBack();
      await files.releaseOrphans();
    },
    async close({ graceMs = 0 } = {}) {
      isClosing = true;
      const ended = turns.close();
      await withTimeout(graceMs, ended).catch(() => {}); // those left are ended below
      // Closing the pools ends the engines, which releases their files.
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
      await ended;
      unsubscribe();
    },
  };
}

type TurnsOptions = WorkerOptions & { takeTurn(workClass: WorkClass, fileId: string): Promise<void> };

/** Takes turns of the queue while the disk has room. */
function openTurns({ work, lease, disk, log, classes, takeTurn, ...options }: TurnsOptions) {
  const consumers: Consumer[] = [];
  /** Consumers that were closed because the disk is full. They wait for the turns in progress. */
  const closing = new Set<Promise<void>>();
  let isDiskFull = false;
  let isClosed = false;

  const consume = () => {
    for (const workClass of classes)
      consumers.push(
        work.consume(workClass, {
          concurrency: poolOf(options, workClass).size,
          handle: (fileId) => takeTurn(workClass, fileId),
        }),
      );
  };
  /** Asks the disk, and stops or starts taking turns. Returns whether it is full. */
  const checkDisk = async (): Promise<boolean> => {
    const isFull = await disk.isFull().catch((problem: unknown) => {
      log.warn({ err: problem }, "cannot tell how much room the disk has");
      return isDiskFull;
    });
    if (isFull === isDiskFull || isClosed) return isFull;
    isDiskFull = isFull;
    if (isFull) {
      log.error({}, "the disk is full: this process takes no work until there is room, and passes its own on");
      for (const consumer of consumers.splice(0)) closing.add(consumer.close());
    } else {
      log.info({}, "the disk has room again: this process takes work");
      consume();
    }
    await lease
      .setTakesWork(!isFull)
      .catch((problem: unknown) => log.warn({ err: problem }, "cannot tell others about the engines"));
    return isFull;
  };
  return {
    isDiskFull: () => isDiskFull,
    checkDisk,
    async start() {
      if (!(await checkDisk())) consume();
    },
    close() {
      isClosed = true;
      return Promise.all([...closing, ...consumers.map((consumer) => consumer.close())]);
    },
  };
}
