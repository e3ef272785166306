import { useSyncExternalStore } from "react";

export type Store<State, Event> = {
  read(): State;
  dispatch(event: Event): void;
  /**
   * From now on `reduce` makes the changes. The studio begins with the reducer of its settings alone: its whole reducer
   * comes with the script that is loaded once there is a picture, and the first page need not wait for it.
   */
  reduceBy(reduce: (state: State, event: Event) => State): void;
  /** Calls back after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void;
};

/** State outside React, changed by events only: work goes on while pages come and go. */
export function createStore<State, Event>(
  reduce: (state: State, event: Event) => State,
  initial: State,
): Store<State, Event> {
  let state = initial;
  let reduceNow = reduce;
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    dispatch(event) {
      const next = reduceNow(state, event);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    reduceBy(other) {
      reduceNow = other;
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
