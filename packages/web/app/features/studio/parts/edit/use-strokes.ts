import { useRef, useState } from "react";
import type { Matte } from "../../state/picture.ts";
import { applyPatch, type Brush, type Patch, paint, patchBetween, type Spot } from "./matte.ts";

const mostUndo = 40;

export type Strokes = {
  begin(spot: Spot, brush: Brush): void;
  go(spot: Spot, brush: Brush): void;
  end(): void;
  /** The stroke under way was none: the matte is as it was before it. */
  drop(): void;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
};

/** Strokes on a matte, which they change in place, and their undoing. */
export function useStrokes(matte: Matte | undefined, onChange: () => void): Strokes {
  const done = useRef<Patch[]>([]);
  const undone = useRef<Patch[]>([]);
  const open = useRef<{ before: Uint8Array; last: Spot }>(undefined);
  const [counts, setCounts] = useState({ done: 0, undone: 0 });
  const tell = () => {
    setCounts({ done: done.current.length, undone: undone.current.length });
    onChange();
  };
  const swap = (from: Patch[], to: Patch[]) => {
    const patch = from.pop();
    if (!patch || !matte) return;
    to.push(applyPatch(matte, patch));
    tell();
  };
  return {
    begin(spot, brush) {
      if (!matte) return;
      open.current = { before: matte.values.slice(), last: spot };
      paint(matte, brush, spot, spot);
      onChange();
    },
    go(spot, brush) {
      if (!matte || !open.current) return;
      paint(matte, brush, open.current.last, spot);
      open.current.last = spot;
      onChange();
    },
    end() {
      const stroke = open.current;
      open.current = undefined;
      const patch = stroke && matte && patchBetween(stroke.before, matte);
      if (!patch) return;
      done.current = [...done.current, patch].slice(-mostUndo);
      undone.current = [];
      tell();
    },
    drop() {
      const stroke = open.current;
      open.current = undefined;
      if (!stroke || !matte) return;
      matte.values.set(stroke.before);
      onChange();
    },
    undo: () => swap(done.current, undone.current),
    redo: () => swap(undone.current, done.current),
    canUndo: counts.done > 0,
    canRedo: counts.undone > 0,
  };
}
