import type { Api } from "@tintype/contract/api";
import type { BatchActions, CreditUsage, PlannedBatch, Shortage } from "../../../lib/credit-shortage.ts";
import type { Store } from "../../../lib/store.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import type { StudioState } from "../state/studio-state.ts";

/** What the studio calls on the page around it. */
export type StudioHost = {
  /** The server refused for lack of credits. The page shows what the user can do. */
  outOfCredits(batch: BatchActions & { pictureCount: number; sentence: string }): Promise<void>;
  /**
   * Checks the known credits; undefined if they suffice. Otherwise the studio sends nothing: "shown" if the page has shown
   * the message, or else a sentence for the studio to show and how many pictures the credits cover.
   */
  findShortage(batch: PlannedBatch): Promise<Shortage | "shown" | undefined>;
  /** A job or the server reported this usage. */
  creditsUsed(usage: CreditUsage): void;
  /** Opens the way to sign up. */
  signUp(): void;
};

/** Toasts. */
type Notify = { error(sentence: string): void; info(sentence: string): void };

export type StudioParts = {
  store: Store<StudioState, StudioEvent>;
  api: Api;
  notify: Notify;
  host: StudioHost;
};
