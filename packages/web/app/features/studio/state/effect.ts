import type { Order, Orders } from "./order.ts";
import type { Picture, PictureId } from "./picture.ts";

export type SentJob = { id: string; ids: readonly PictureId[] };

/** What is to be done about a change of the state: `updateStudio` asks for it, and `work/perform.ts` does it. */
export type Effect =
  /** Looks up results that are here already, where `mayRecall`, and whether the credits suffice for the others. */
  | {
      do: "prepare";
      batch: number;
      pictures: readonly Picture[];
      orders: Orders;
      mayRecall: boolean;
      count: number | undefined;
    }
  /** Sends a part of a batch, which becomes a job. */
  | { do: "send"; batch: number; order: Order; files: readonly File[] }
  /** Stops sending or listening. */
  | { do: "stop"; batch: number }
  /** Keeps what a reload needs to find the job again. */
  | { do: "remember"; batch: number; jobId: string; order: Order; files: ReadonlyArray<File | undefined> }
  /** Listens to the jobs, and downloads each result as soon as it is there. */
  | { do: "follow"; batch: number; jobs: readonly SentJob[]; keys: ReadonlyMap<PictureId, string> }
  /** Follows the jobs again by itself once the server can be reached. */
  | { do: "await-server"; batch: number }
  | { do: "forget"; jobIds: readonly string[] }
  /** Results that were not delivered are then not charged. */
  | { do: "end-jobs"; batch: number; jobIds: readonly string[] }
  /** One picture of a job; the server tells how it ended. */
  | { do: "cancel-file"; jobId: string; index: number }
  /** Shows the way on where credits are missing for these pictures. */
  | { do: "say-short"; sentence: string; ids: readonly PictureId[] };
