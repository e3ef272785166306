import { text } from "@tintype/contract";
import { tryPart } from "../../lib/load-part.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { reduceSetup } from "./state/reduce-setup.ts";
import type { StudioEvent } from "./state/studio-event.ts";
import { initialState, type StudioState } from "./state/studio-state.ts";
import type { StudioParts } from "./studio-parts.ts";
import type { StudioWork } from "./work/create-studio-work.ts";

/** The studio of one page: it outlives the home page, and its work goes on while the person reads another. */
export type Studio = Store<StudioState, StudioEvent> & {
  /** Does something with the part that acts, which is loaded when it is first needed: the first view needs none of it. */
  act(action: (work: StudioWork) => unknown): void;
  /** Loads that part, for when it will be needed soon. */
  preload(): void;
  /** Another person or plan: asks for limits and usage again, if the studio had asked before. */
  refreshAllowance(): void;
  /** Shows the way to an account. */
  signUp(): void;
};

export function createStudio({ api, notify, host }: Omit<StudioParts, "store">): Studio {
  const store = createStore(reduceSetup, initialState);
  let work: Promise<StudioWork> | undefined;

  function load(): Promise<StudioWork> {
    work ??= tryPart(() => import("./work/create-studio-work.ts")).then(({ createStudioWork }) =>
      createStudioWork({ store, api, notify, host }),
    );
    // A chunk that did not come may come the next time.
    work.catch(() => {
      work = undefined;
    });
    return work;
  }

  return {
    ...store,
    act(action) {
      load()
        .then(action)
        .catch((problem: unknown) => {
          notify.error(text.somethingWrong);
          reportError(problem); // to the console: what gets here is a chunk that did not come, or a fault of ours
        });
    },
    refreshAllowance() {
      work?.then((loaded) => loaded.refreshAllowance()).catch(() => undefined); // the server enforces them anyhow
    },
    signUp: host.signUp,
    preload() {
      load().catch(() => undefined); // only a wish: who acts hears of it
    },
  };
}
