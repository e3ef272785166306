import { useSyncExternalStore } from "react";

export type Store<State, Event> = {
  read(): State;
  dispatch(event: Event): void;
  /** Calls back after each change; returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
};

type Machine<State, Event, Effect> = {
  initial: State;
  /** Pure reducer: the next state, and the effects to perform. */
  update(state: State, event: Event): { state: State; effects: readonly Effect[] };
  perform(effect: Effect): void;
};

/** State outside React, changed only by events, so that work continues while pages mount and unmount. */
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

/** A slice of a store's state; renders again when the slice changes. `select` must not build new objects. */
export function useStore<State, Part>(
  store: Pick<Store<State, never>, "read" | "subscribe">,
  select: (state: State) => Part,
): Part {
  const read = () => select(store.read());
  return useSyncExternalStore(store.subscribe, read, read);
}
