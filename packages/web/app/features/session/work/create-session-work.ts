import { type PublicConfig, text, type UserInfo } from "@tintype/contract";
import { ApiProblem, createApi } from "@tintype/contract/api";
import type { Store } from "../../../lib/store.ts";
import { createBuiltInIdentity } from "../built-in/built-in-identity.ts";
import { keepHint } from "../hint.ts";
import type { Identity, Person } from "../port.ts";
import { sentenceFor, sessionEnded } from "../sentences.ts";
import type { SessionEvent, SessionState } from "../session-state.ts";

/** A second refusal within this time is not a problem of a single token. ms */
const refusalCooldownMs = 60_000;

/** The maximum delay of setTimeout, just under 25 days. */
const maxTimeoutMs = 2 ** 31 - 1;

export type SessionParts = {
  store: Store<SessionState, SessionEvent>;
  /** The base URLs of the API and of the built-in identity provider. */
  apiBase: string;
  identityBase: string;
  /** See `Session`. */
  signInAgain(): Promise<boolean>;
  notify: { error(sentence: string): void };
};

/** The actions of a session. Methods taken over from Identity throw IdentityProblem. */
export type SessionWork = Omit<
  Identity,
  "check" | "onChange" | "finishRedirect" | "assertDeletable" | "deleteAccount"
> & {
  /** The provider's settings. */
  settings: PublicConfig["identity"];
  /** Who may sign up. */
  access: PublicConfig["access"];
  /** Asks the provider again who is signed in, for example after another tab signed in or out. */
  check(): Promise<void>;
  /** Asks the server for the remaining credits, and updates the header and the other tabs. @throws ApiProblem, ConnectionLost */
  readUserInfo(): Promise<UserInfo>;
  /** The same for the header, which shows errors itself. */
  refreshUsage(): Promise<void>;
  /** Sends this tab's usage to the other tabs. */
  syncTabs(): void;
  /** Deletes the account and all personal data; `email` is the person's, as typed. @throws also ApiProblem */
  deleteAccount(email: string): Promise<void>;
};

/** Opens the provider that the server names, and finds out who is signed in. @throws ConnectionLost, ApiProblem */
export async function createSessionWork({
  store,
  apiBase,
  identityBase,
  signInAgain,
  notify,
}: SessionParts): Promise<SessionWork> {
  const open = createApi({ base: apiBase, token: async () => undefined });
  const { identity: settings, access } = await open.call("GET /config", {});
  const identity = await openIdentity(settings, identityBase);
  const api = createApi({ base: apiBase, token, signInAgain });
  const personId = () => {
    const { visitor } = store.read();
    return visitor.kind === "person" ? visitor.person.id : undefined;
  };
  const tabs = createTabs({ personId, onInfo: (info) => store.dispatch({ type: "info-read", info }) });
  let latest: string | undefined;
  let resetting: ReturnType<typeof setTimeout> | undefined;
  let refusedAtMs = Number.NEGATIVE_INFINITY;

  function enter(person: Person | undefined) {
    const isNew = person !== undefined && person.id !== personId();
    if (!person) clearTimeout(resetting);
    keepHint(person?.id);
    store.dispatch(person ? { type: "person-known", person } : { type: "guest-known" });
    if (isNew) void refreshUsage();
  }

  async function token(refused?: string): Promise<string | undefined> {
    if (refused !== undefined && refused === latest) {
      if (performance.now() - refusedAtMs < refusalCooldownMs) return end();
      refusedAtMs = performance.now();
    }
    latest = await identity.token(refused);
    return latest === undefined && personId() !== undefined ? end() : latest;
  }

  /** The provider or the API no longer knows the person. Their work stays on the page. */
  function end(): never {
    void identity.signOut().catch(() => undefined); // there may be nothing left to sign out of
    enter(undefined);
    store.dispatch({ type: "dialog-opened", request: { tab: "login", reason: sessionEnded } });
    throw new ApiProblem({ status: 401, code: "unauthorized", detail: sessionEnded });
  }

  async function readUserInfo(): Promise<UserInfo> {
    const requester = personId();
    const info = await api.call("GET /user-info", {});
    if (requester === personId()) {
      store.dispatch({ type: "info-read", info });
      tabs.publish(info);
      refreshAfter(info);
    }
    return info;
  }

  /** Refreshes some time after the allowance is renewed, so that not all pages ask in the same second. */
  function refreshAfter({ resets_at }: UserInfo) {
    clearTimeout(resetting);
    if (resets_at === null) return;
    const delayMs = Date.parse(resets_at) - Date.now() + 1000 + Math.random() * 20_000;
    if (delayMs > 1000 && delayMs < maxTimeoutMs) resetting = setTimeout(() => void refreshUsage(), delayMs);
  }

  async function refreshUsage() {
    const requester = personId();
    try {
      await readUserInfo();
    } catch (problem) {
      if (requester === undefined || requester !== personId()) return; // signed out meanwhile: nothing to count
      const isAnswer = problem instanceof ApiProblem;
      const isShutOut = isAnswer && (problem.code === "account-blocked" || problem.code === "not-admitted");
      const sentence = isShutOut ? problem.detail : isAnswer ? text.usageFailed(problem.status) : text.usageError;
      if (isAnswer) notify.error(sentence);
      store.dispatch({ type: "info-failed", problem: sentence });
    }
  }

  identity.onChange(enter);
  enter(await identity.check());
  await identity.finishRedirect().catch((problem: unknown) => {
    const sentence = sentenceFor(problem, { fallback: text.googleFailed });
    store.dispatch({ type: "dialog-opened", request: { problem: sentence } });
  });
  return {
    ...identity,
    settings,
    access,
    token,
    check: async () => enter(await identity.check()),
    readUserInfo,
    refreshUsage,
    syncTabs() {
      const { info } = store.read();
      if (info) tabs.publish(info);
    },
    async deleteAccount(email) {
      await identity.assertDeletable();
      await api.call("POST /delete-account", { json: { email } });
      await identity.deleteAccount();
      await identity.signOut().catch(() => undefined); // its session was deleted with the account
      enter(undefined);
    },
  };
}

/** The identity provider that the server names. Firebase's SDK is loaded only if it is the one. */
async function openIdentity(settings: PublicConfig["identity"], builtInBase: string): Promise<Identity> {
  if (settings.provider === "built-in") return createBuiltInIdentity(builtInBase, settings);
  const { createFirebaseIdentity } = await import("../firebase/firebase-identity.ts");
  return createFirebaseIdentity(settings);
}

type TabMessage = { personId: string; info: UserInfo };

/** Shares the usage that one tab learns with all tabs. The sign-in itself is shared through the hint instead. */
function createTabs({ personId, onInfo }: { personId(): string | undefined; onInfo(info: UserInfo): void }): {
  publish(info: UserInfo): void;
} {
  const channel = new BroadcastChannel("tintype.usage");
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.personId === personId()) onInfo(data.info); // posted by this same code in another tab
  };
  return {
    publish(info) {
      const id = personId();
      if (id !== undefined) channel.postMessage({ personId: id, info } satisfies TabMessage);
    },
  };
}
