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

/** A value outside React, for `useSyncExternalStore`. */
export function createValue<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    set(next: Value) {
      if (next === value) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    /** Calls back after each change; returns the function that unsubscribes. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** State outside React, changed only by events, so that work continues while pages mount and unmount. */
export function createStore<State, Event, Effect>({
  initial,
  update,
  perform,
}: Machine<State, Event, Effect>): Store<State, Event> {
  const { read, set, subscribe } = createValue(initial);
  return {
    read,
    dispatch(event) {
      const { state, effects } = update(read(), event);
      set(state);
      for (const effect of effects) perform(effect);
    },
    subscribe,
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
