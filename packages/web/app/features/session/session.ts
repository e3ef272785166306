import { text } from "@tintype/contract";
import { tryChunk } from "../../lib/load-chunk.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { hasHint, hintKey } from "./hint.ts";
import {
  type DialogRequest,
  initialSession,
  reduceSession,
  type SessionEvent,
  type SessionState,
} from "./session-state.ts";
import type { SessionParts, SessionWork } from "./work/create-session-work.ts";

/**
 * The visitor's session. The rest of its code loads with `load()`, when this browser has an earlier sign-in or the
 * person asks to sign in.
 */
export type Session = Pick<Store<SessionState, SessionEvent>, "read" | "subscribe"> & {
  /** The lazy part: signs in and out, asks the server for usage. @throws ConnectionLost when it does not load */
  load(): Promise<SessionWork>;
  /** A person's credits as reported by the running job, without a request. */
  reportUsage(usage: { used: number; limit: number }): void;
  /** Asks again who is signed in, after the provider could not be reached. */
  retry(): Promise<void>;
  openDialog(request?: DialogRequest): void;
  closeDialog(): void;
  /** Asks the person to authenticate again, and resolves to whether they did. */
  signInAgain(): Promise<boolean>;
  /** For the API client. */
  token(refused?: string): Promise<string | undefined>;
  /** Starts the session when the page mounts; returns the function that ends it. */
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
    work ??= tryChunk(() => import("./work/create-session-work.ts")).then(({ createSessionWork }) =>
      createSessionWork({ ...parts, store, signInAgain }),
    );
    // A chunk that failed to load may load the next time.
    work.catch(() => {
      work = undefined;
    });
    return work;
  }

  /** Asks the provider who is signed in, if anybody was. */
  async function check() {
    if (!work && !hasHint()) return store.dispatch({ type: "guest-known" });
    try {
      const isFirst = !work;
      const loaded = await load();
      if (!isFirst) await loaded.check();
    } catch {
      // The earlier sign-in may still hold, so the page does not show a guest's header. The person can retry.
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
    reportUsage(usage) {
      store.dispatch({ type: "usage-reported", ...usage });
      // The code that syncs tabs is loaded for a signed-in person anyway; a guest's usage is not shown.
      if (work && store.read().info) work.then(({ syncTabs }) => syncTabs()).catch(() => undefined);
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
      // Another tab signed in or out. A null key means that the whole storage was cleared.
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
