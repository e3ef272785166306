import type { OperationName } from "@tintype/contract";
import type { Order, Orders } from "./order.ts";
import type { Picture, PictureId } from "./picture.ts";

export type SentJob = { id: string; ids: readonly PictureId[] };

/** A side effect of a state change: `updateStudio` returns it, and `work/perform.ts` performs it. */
export type Effect =
  /** Looks up existing results, if `mayReuse`, and checks that the credits suffice for the rest. */
  | {
      do: "prepare";
      batch: number;
      pictures: readonly Picture[];
      orders: Orders;
      mayReuse: boolean;
      count: number | undefined;
    }
  /** Uploads a part of a batch, which becomes a job. */
  | { do: "send"; batch: number; order: Order; files: readonly File[] }
  /** Aborts the upload or the event streams. */
  | { do: "stop"; batch: number }
  /** Stores what a reload needs to find the job again. */
  | { do: "remember"; batch: number; jobId: string; idempotencyKey: string; tool: OperationName; count: number }
  /** Follows the jobs' events and downloads each result as soon as it is done. */
  | { do: "follow"; batch: number; jobs: readonly SentJob[]; keys: ReadonlyMap<PictureId, string> }
  /** Polls until the server can be reached, then follows the jobs again. */
  | { do: "await-server"; batch: number }
  | { do: "forget"; jobIds: readonly string[] }
  /** Ends the jobs. Undelivered results are not charged. */
  | { do: "end-jobs"; batch: number; jobIds: readonly string[] }
  /** Cancels one picture of a job. The server reports how it ended. */
  | { do: "cancel-file"; jobId: string; index: number }
  /** Shows what the user can do when the credits do not cover these pictures. */
  | { do: "show-shortage"; sentence: string; ids: readonly PictureId[] };
