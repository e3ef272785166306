import type { Api } from "@tintype/contract/api";
import type { CreditUse, HeldBack, Shortage, Wanted } from "../../../lib/credit-shortage.ts";
import type { Store } from "../../../lib/store.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import type { StudioState } from "../state/studio-state.ts";

/** The calls that the studio makes to the page around it. */
export type StudioHost = {
  /** The server refused for want of credits. The page shows the way on. */
  outOfCredits(refused: HeldBack & { pictureCount: number; sentence: string }): Promise<void>;
  /**
   * Whether the known credits do not suffice: then the studio sends nothing. "told": the page has said
   * it. Else a sentence for the studio to show, and how many pictures the credits do suffice for.
   */
  findShortage(wanted: Wanted): Promise<Shortage | "told" | undefined>;
  /** The usage that a job told. */
  creditsUsed(usage: CreditUse): void;
  /** Shows the way to an account. */
  signUp(): void;
};

/** Short messages that pass. */
type Notify = { error(sentence: string): void; info(sentence: string): void };

export type StudioParts = {
  store: Store<StudioState, StudioEvent>;
  api: Api;
  notify: Notify;
  host: StudioHost;
};
