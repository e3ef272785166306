import { text } from "@tintype/contract";
import { tryPart } from "../../../lib/load-part.ts";
import { createStore, type Store } from "../../../lib/store.ts";
import { type Opening, openedWith } from "../state/opening.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import { initialState, type StudioState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";
import type { StudioWork } from "./create-studio-work.ts";
import type { StudioParts } from "./studio-parts.ts";

/** What a person does in the studio. What goes wrong in it unforeseen is told in a toast. */
type Acts = {
  [Name in keyof Omit<StudioWork, Asked>]: (...args: Parameters<StudioWork[Name]>) => void;
};
/** Its answer is waited for. */
type Asked = "perform" | "thumbOf" | "reload" | "look" | "makeWebSet";

/** The studio of one page: it outlives the home page, and its work goes on while the person reads another. */
export type Studio = Store<StudioState, StudioEvent> &
  Acts &
  Pick<StudioWork, "thumbOf" | "reload" | "look" | "makeWebSet"> & {
    /** Loads what does the work, and looks for results and a batch of an earlier visit. The first act does so by itself. */
    begin(): void;
    /** Shows the way to an account. */
    signUp(): void;
  };

export function createStudio({
  api,
  notify,
  host,
  opening,
}: Omit<StudioParts, "store"> & { opening: Opening }): Studio {
  const store: Store<StudioState, StudioEvent> = createStore({
    initial: openedWith(opening, initialState),
    update: updateStudio,
    perform: (effect) => void work().then(({ perform }) => perform(effect), orSay),
  });
  let made: Promise<StudioWork> | undefined;
  function work(): Promise<StudioWork> {
    made ??= tryPart(() => import("./create-studio-work.ts")).then(({ createStudioWork }) =>
      createStudioWork({ store, api, notify, host }),
    );
    // What did not come may come the next time.
    made.catch(() => {
      made = undefined;
    });
    return made;
  }
  const orSay = (problem: unknown) => {
    notify.error(text.somethingWrong);
    reportError(problem);
  };
  const act =
    <Args extends readonly unknown[]>(choose: (work: StudioWork) => (...args: Args) => unknown) =>
    (...args: Args): void => {
      work()
        .then((loaded) => choose(loaded)(...args))
        .catch(orSay);
    };
  return {
    ...store,
    begin: () => void work().catch(() => undefined), // only a wish: who acts hears of it
    signUp: host.signUp,
    thumbOf: async (key) => (await work()).thumbOf(key),
    makeWebSet: async (...asked) => (await work()).makeWebSet(...asked),
    look: async (...asked) => (await work()).look(...asked),
    reload: async () => (await work()).reload(),
    addFiles: act(({ addFiles }) => addFiles),
    addAddresses: act(({ addAddresses }) => addAddresses),
    addDropped: act(({ addDropped }) => addDropped),
    addRestored: act(({ addRestored }) => addRestored),
    takeSample: act(({ takeSample }) => takeSample),
    submit: act(({ submit }) => submit),
    decideHeld: act(({ decideHeld }) => decideHeld),
    saveOne: act(({ saveOne }) => saveOne),
    saveAll: act(({ saveAll }) => saveAll),
    saveToFolder: act(({ saveToFolder }) => saveToFolder),
    shareAll: act(({ shareAll }) => shareAll),
    copyOne: act(({ copyOne }) => copyOne),
    saveRecent: act(({ saveRecent }) => saveRecent),
    forgetRecent: act(({ forgetRecent }) => forgetRecent),
    refreshAllowance() {
      made?.then((loaded) => loaded.refreshAllowance()).catch(() => undefined); // the server enforces limits anyhow
    },
  };
}
