import { text } from "@tintype/contract";
import { tryPart } from "../../lib/load-part.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { hasHint, hintKey } from "./hint.ts";
import type { SessionParts } from "./session-parts.ts";
import {
  type DialogRequest,
  initialSession,
  reduceSession,
  type SessionEvent,
  type SessionState,
} from "./session-state.ts";
import type { SessionWork } from "./work/create-session-work.ts";

/**
 * The person at the page. All else loads when this browser has an earlier sign-in, or the person asks to sign in:
 * `load()` gives it.
 */
export type Session = Pick<Store<SessionState, SessionEvent>, "read" | "subscribe"> & {
  /** The part that acts: signs in and out, asks the server for usage. @throws ConnectionLost when it does not load */
  load(): Promise<SessionWork>;
  /** A person's credits as the running job tells them, without a request. */
  noteUsage(usage: { used: number; limit: number }): void;
  /** Asks once more who is there, after the provider could not be reached. */
  retry(): Promise<void>;
  openDialog(request?: DialogRequest): void;
  closeDialog(): void;
  /** Asks the person to show once more that it is them. Whether they did. */
  signInAgain(): Promise<boolean>;
  /** For the API's client. */
  token(refused?: string): Promise<string | undefined>;
  /** From when the page is there until the given function is called. */
  begin(): () => void;
};

export function createSession(parts: Omit<SessionParts, "store" | "signInAgain">): Session {
  const store = createStore({
    initial: initialSession,
    update: (state: SessionState, event: SessionEvent) => ({ state: reduceSession(state, event), effects: [] }),
    perform: () => undefined,
  });
  let work: Promise<SessionWork> | undefined;

  function load(): Promise<SessionWork> {
    work ??= tryPart(() => import("./work/create-session-work.ts")).then(({ createSessionWork }) =>
      createSessionWork({ ...parts, store, signInAgain }),
    );
    // A part that did not load may load the next time.
    work.catch(() => {
      work = undefined;
    });
    return work;
  }

  /** Asks the provider who is there, if anybody was. */
  async function check() {
    if (!work && !hasHint()) return store.dispatch({ type: "guest-known" });
    try {
      const isFirst = !work;
      const loaded = await load();
      if (!isFirst) await loaded.check();
    } catch {
      // Who was signed in here may still be: the page does not show them a guest's header. They can ask once more.
      store.dispatch({ type: "info-failed", problem: text.usageError });
    }
  }

  const signInAgain = () =>
    new Promise<boolean>((resolve) => {
      const request = { isAgain: true, onSuccess: () => resolve(true), onClose: () => resolve(false) };
      store.dispatch({ type: "dialog-opened", request });
    });

  return {
    signInAgain,
    read: store.read,
    subscribe: store.subscribe,
    load,
    noteUsage(usage) {
      store.dispatch({ type: "usage-noted", ...usage });
      // Other tabs are told by what is loaded for a person anyway; a guest's usage is shown nowhere.
      if (work && store.read().info) work.then(({ tellTabs }) => tellTabs()).catch(() => undefined);
    },
    retry: check,
    openDialog: (request = {}) => store.dispatch({ type: "dialog-opened", request }),
    closeDialog: () => store.dispatch({ type: "dialog-closed" }),
    async token(refused) {
      const { kind } = store.read().visitor;
      if (kind === "guest" || (kind === "unknown" && !work && !hasHint())) return undefined;
      return (await load()).token(refused);
    },
    begin() {
      // Another tab signed in or out. A null key: all of the storage was emptied.
      const onStorage = ({ key }: StorageEvent) => (key === hintKey || key === null) && void check();
      const onOnline = () => store.read().visitor.kind === "unknown" && void check();
      window.addEventListener("storage", onStorage);
      window.addEventListener("online", onOnline);
      void check();
      return () => {
        window.removeEventListener("storage", onStorage);
        window.removeEventListener("online", onOnline);
      };
    },
  };
}
