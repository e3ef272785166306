import { type ReactNode, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

/** A place on the page, of which there is one, that a part elsewhere fills. */
function createSlot() {
  let slot: HTMLElement | null = null;
  const listeners = new Set<() => void>();
  const set = (element: HTMLElement | null) => {
    slot = element;
    for (const notify of listeners) notify();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = () => slot;
  /** Puts content into the slot, or renders it in place if the page has none. */
  function Fill({ children }: { children: ReactNode }) {
    const target = useSyncExternalStore(subscribe, read, () => null);
    return target ? createPortal(children, target) : children;
  }
  return { set, Fill };
}

const controls = createSlot();
const estimate = createSlot();

/** The inspector's place for the stage's controls. */
export const InspectorSlot = () => <div ref={controls.set} />;

/** The toolbar's place for what a preview estimates. */
export const EstimateSlot = ({ className }: { className: string }) => <div ref={estimate.set} className={className} />;

/** Shows an estimate in the toolbar above the picture. */
export const InToolbar = estimate.Fill;

type Props = {
  /** Editing controls hide the rest of the inspector. */
  isExclusive?: boolean;
  children: ReactNode;
};

/** Shows controls of the stage in the inspector, where they take no room from the picture. */
export function InInspector({ isExclusive = false, children }: Props) {
  return (
    <controls.Fill>
      <div data-exclusive={isExclusive || undefined}>{children}</div>
    </controls.Fill>
  );
}
