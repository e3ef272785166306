import type { Api } from "../../lib/api/client.ts";
import type { Store } from "../../lib/store.ts";
import type { StudioEvent } from "./state/studio-event.ts";
import type { StudioState } from "./state/studio-state.ts";

/** What the studio asks of the page around it. */
export type StudioHost = {
  /** The caller's credits do not suffice. True: the page has dealt with it, and the studio need not say more. */
  outOfCredits(refused: { pictureCount: number; sentence: string }): boolean;
  /** Whether they will not suffice, as far as is known; then the page has said so, and nothing need be sent. */
  isShortOfCredits(wanted: { pictureCount: number; usage: CreditUse | undefined }): boolean;
  /** What is used, as a job told it. */
  creditsUsed(usage: CreditUse): void;
};

export type CreditUse = { used: number; limit: number };

/** Short messages that pass. */
type Notify = { error(sentence: string): void; info(sentence: string): void };

export type StudioParts = {
  store: Store<StudioState, StudioEvent>;
  api: Api;
  notify: Notify;
  host: StudioHost;
};
