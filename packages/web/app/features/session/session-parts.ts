import type { Store } from "../../lib/store.ts";
import type { SessionEvent, SessionState } from "./session-state.ts";

export type SessionParts = {
  store: Store<SessionState, SessionEvent>;
  /** The base URLs of the API and of the built-in identity provider. */
  apiBase: string;
  identityBase: string;
  /** See `Session`. */
  signInAgain(): Promise<boolean>;
  notify: { error(sentence: string): void };
};
