import { text } from "@tintype/contract";
import { tryChunk } from "../../../lib/load-chunk.ts";
import { createStore, type Store } from "../../../lib/store.ts";
import type { Effect } from "../state/effect.ts";
import { type InitialTool, withInitialTool } from "../state/initial-tool.ts";
import { isEarly, reduceSetup } from "../state/reduce-setup.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import { initialState, type StudioState } from "../state/studio-state.ts";
import type { updateStudio } from "../state/update-studio.ts";
import type { StudioWork } from "./create-studio-work.ts";
import type { StudioParts } from "./studio-parts.ts";

/** The user's actions. Unexpected errors in them are shown in a toast. */
type Actions = {
  [Name in keyof Omit<StudioWork, AwaitedActions>]: (...args: Parameters<StudioWork[Name]>) => void;
};
/** Members of the work that are not fire-and-forget actions. */
type AwaitedActions = "perform" | "thumbOf" | "reload" | "fetchPreview" | "makeWebSet";

/** The studio. It outlives the home page, and its work goes on while the user visits other pages. */
export type Studio = Store<StudioState, StudioEvent> &
  Actions &
  Pick<StudioWork, "thumbOf" | "reload" | "fetchPreview" | "makeWebSet"> & {
    /** Loads the work's code and looks for results and a batch of an earlier visit. The first action does so too. */
    begin(): Promise<void>;
    /** Opens the way to sign up. */
    signUp(): void;
  };

const noop = () => undefined;

export function createStudio({
  api,
  notify,
  host,
  initialTool,
}: Omit<StudioParts, "store"> & { initialTool: InitialTool }): Studio {
  /** Loaded with the work. Until then the studio is empty, and events that need it wait. */
  let machine: typeof updateStudio | undefined;
  const waiting: StudioEvent[] = [];
  const { dispatch: apply, ...rest } = createStore<StudioState, StudioEvent, Effect>({
    initial: withInitialTool(initialTool, initialState),
    update: (state, event) =>
      machine?.(state, event) ?? { state: isEarly(event) ? reduceSetup(state, event) : state, effects: [] },
    perform: (effect) => void work().then(({ perform }) => perform(effect), showProblem),
  });
  const store: Store<StudioState, StudioEvent> = {
    ...rest,
    dispatch(event) {
      if (machine || (waiting.length === 0 && isEarly(event))) return apply(event);
      waiting.push(event);
      work().catch(showProblem);
    },
  };
  let loading: Promise<StudioWork> | undefined;
  function work(): Promise<StudioWork> {
    loading ??= tryChunk(() => import("./create-studio-work.ts")).then((loaded) => {
      machine = loaded.updateStudio;
      for (const event of waiting.splice(0)) apply(event);
      return loaded.createStudioWork({ store, api, notify, host });
    });
    // After a failed load, try again with the next action.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }
  const showProblem = (problem: unknown) => {
    notify.error(text.somethingWrong);
    reportError(problem);
  };
  const action =
    <Args extends readonly unknown[]>(choose: (work: StudioWork) => (...args: Args) => unknown) =>
    (...args: Args): void => {
      work()
        .then((loaded) => choose(loaded)(...args))
        .catch(showProblem);
    };
  return {
    ...store,
    begin: () => work().then(noop, noop), // optional here: the next action reports the error
    signUp: host.signUp,
    thumbOf: async (key) => (await work()).thumbOf(key),
    makeWebSet: async (...args) => (await work()).makeWebSet(...args),
    fetchPreview: async (...args) => (await work()).fetchPreview(...args),
    reload: async () => (await work()).reload(),
    addFiles: action(({ addFiles }) => addFiles),
    addAddresses: action(({ addAddresses }) => addAddresses),
    addDropped: action(({ addDropped }) => addDropped),
    addRestored: action(({ addRestored }) => addRestored),
    takeSample: action(({ takeSample }) => takeSample),
    submit: action(({ submit }) => submit),
    decideHeld: action(({ decideHeld }) => decideHeld),
    saveAs: action(({ saveAs }) => saveAs),
    saveOne: action(({ saveOne }) => saveOne),
    saveAll: action(({ saveAll }) => saveAll),
    saveToFolder: action(({ saveToFolder }) => saveToFolder),
    shareAll: action(({ shareAll }) => shareAll),
    copyOne: action(({ copyOne }) => copyOne),
    saveRecent: action(({ saveRecent }) => saveRecent),
    clearRecent: action(({ clearRecent }) => clearRecent),
    refreshAllowance() {
      loading?.then((loaded) => loaded.refreshAllowance()).catch(() => undefined); // the server enforces limits in any case
    },
  };
}
