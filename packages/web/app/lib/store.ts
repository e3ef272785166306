import { useSyncExternalStore } from "react";

export type Store<State, Event> = {
  read(): State;
  dispatch(event: Event): void;
  /** Calls back after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void;
};

type Machine<State, Event, Effect> = {
  initial: State;
  /** What an event makes of the state, and what is then to be done. It does nothing by itself. */
  update(state: State, event: Event): { state: State; effects: readonly Effect[] };
  perform(effect: Effect): void;
};

/** State outside React, changed by events only: work goes on while pages come and go. */
export function createStore<State, Event, Effect>({
  initial,
  update,
  perform,
}: Machine<State, Event, Effect>): Store<State, Event> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    dispatch(event) {
      const { state: next, effects } = update(state, event);
      if (next !== state) {
        state = next;
        for (const listener of [...listeners]) listener();
      }
      for (const effect of effects) perform(effect);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A part of a store's state; renders again when that part is another value. `select` must not build new objects. */
export function useStore<State, Event, Part>(store: Store<State, Event>, select: (state: State) => Part): Part {
  const read = () => select(store.read());
  return useSyncExternalStore(store.subscribe, read, read);
}
