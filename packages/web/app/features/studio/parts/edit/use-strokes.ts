import { useRef, useState } from "react";
import type { Matte } from "../../state/picture.ts";
import type { FindEdges } from "./edge-finder.ts";
import { applyPatch, type Brush, cropValues, type Patch, paint, patchBetween, strokeBox, trimPatch } from "./matte.ts";
import type { Point } from "./smart-stroke.ts";

/** Most undo steps. More are kept only while the oldest waits for its edges. */
const maxUndo = 40;

type Piece = { brush: Brush; from: Point; to: Point };
type Stroke = {
  pieces: Piece[];
  /** Applying it undoes the stroke, or redoes an undone one. */
  patch: Patch;
  /** `waiting`: shown as painted until its edges are found. `found`: the patch differs from what the pieces alone would paint. */
  edges: "none" | "waiting" | "found";
  /** The matte below has changed since the stroke was undone, so its patch no longer applies. */
  isStale: boolean;
};

export type Strokes = {
  begin(point: Point, brush: Brush): void;
  extend(point: Point, brush: Brush): void;
  end(): void;
  /** Discards the current stroke and restores the matte from before it. */
  drop(): void;
  /** `undo` and `redo` do nothing during a stroke. */
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
  isFindingEdges: boolean;
  /** The search for the last stroke's edges failed, so it stays as painted. */
  hasFailed: boolean;
  /** Resolves when no stroke waits for its edges. */
  settled(): Promise<void>;
};

/**
 * Paints strokes on a matte in place, with undo and redo. Smart strokes are shown as painted until their edges are found, one stroke at a
 * time; later strokes are then painted again on top of the result. This continues after the component unmounts for as long as
 * `findEdges` answers, because an apply may wait for it.
 */
export function useStrokes(
  matte: Matte | undefined,
  { findEdges, onChange }: { findEdges: FindEdges | undefined; onChange(): void },
): Strokes {
  const undoStack = useRef<Stroke[]>([]);
  const redoStack = useRef<Stroke[]>([]);
  const open = useRef<{ before: Uint8Array; pieces: Piece[] }>(undefined);
  const search = useRef<Promise<void>>(undefined);
  const [counts, setCounts] = useState({ done: 0, undone: 0, waiting: 0 });
  const [hasFailed, setHasFailed] = useState(false);
  const trimHistory = () => {
    while (undoStack.current.length > maxUndo && undoStack.current[0]?.edges !== "waiting") undoStack.current.shift();
  };
  const update = () => {
    const waiting = undoStack.current.filter(({ edges }) => edges === "waiting").length;
    setCounts({ done: undoStack.current.length, undone: redoStack.current.length, waiting });
    onChange();
  };

  function findNextEdges() {
    const stroke = undoStack.current.find(({ edges }) => edges === "waiting");
    if (!matte || !findEdges || !stroke || search.current) return;
    const before = { ...matte, values: (open.current?.before ?? matte.values).slice() };
    for (const one of undoStack.current.slice(undoStack.current.indexOf(stroke)).reverse())
      applyPatch(before, one.patch);
    const segments = stroke.pieces.map(({ brush, from, to }) => ({ from, to, radiusPx: brush.sizePx / 2 }));
    const { kind } = (stroke.pieces[0] as Piece).brush; // a stroke has at least one piece
    search.current = findEdges({ kind, segments, before })
      .then((found) => settle(matte, stroke, found))
      .catch(() => {
        if (!undoStack.current.includes(stroke)) return; // undone meanwhile
        stroke.edges = "none";
        setHasFailed(true);
      })
      .finally(() => {
        search.current = undefined;
        trimHistory();
        update();
        findNextEdges();
      });
  }

  function settle(whole: Matte, stroke: Stroke, found: Patch | undefined) {
    const at = undoStack.current.indexOf(stroke);
    if (at < 0) return; // undone meanwhile: a redo searches again
    stroke.edges = found ? "found" : "none";
    if (!found) return;
    const later = undoStack.current.slice(at + 1);
    if (open.current) whole.values.set(open.current.before);
    for (const one of [...later].reverse()) applyPatch(whole, one.patch);
    applyPatch(whole, stroke.patch);
    // Trimmed, since a region is many times larger than the change and its patch is kept as long as the stroke.
    stroke.patch = applyPatch(whole, trimPatch(found, whole));
    for (const one of later) one.patch = paintAll(whole, one.pieces);
    for (const one of redoStack.current) one.isStale = true;
    if (!open.current) return;
    open.current.before = whole.values.slice();
    paintAll(whole, open.current.pieces);
  }

  return {
    begin(point, brush) {
      if (!matte) return;
      setHasFailed(false);
      open.current = { before: matte.values.slice(), pieces: [{ brush, from: point, to: point }] };
      paint(matte, brush, point, point);
      onChange();
    },
    extend(point, brush) {
      const last = open.current?.pieces.at(-1);
      if (!matte || !last) return;
      paint(matte, brush, last.to, point);
      open.current?.pieces.push({ brush, from: last.to, to: point });
      onChange();
    },
    end() {
      const stroke = open.current;
      open.current = undefined;
      const patch = stroke && matte && patchBetween(stroke.before, matte);
      if (!patch) return;
      const isSmart = findEdges && stroke.pieces[0]?.brush.isSmart;
      undoStack.current.push({ pieces: stroke.pieces, patch, edges: isSmart ? "waiting" : "none", isStale: false });
      trimHistory();
      redoStack.current = [];
      update();
      findNextEdges();
    },
    drop() {
      const stroke = open.current;
      open.current = undefined;
      if (!stroke || !matte) return;
      matte.values.set(stroke.before);
      onChange();
    },
    undo() {
      if (!matte || open.current) return;
      const stroke = undoStack.current.pop();
      if (!stroke) return;
      setHasFailed(false);
      stroke.patch = applyPatch(matte, stroke.patch);
      redoStack.current.push(stroke);
      update();
    },
    redo() {
      if (!matte || open.current) return;
      const stroke = redoStack.current.pop();
      if (!stroke) return;
      // Repaint only a stale stroke: painting all pieces of a large brush is slow.
      stroke.patch = stroke.isStale ? paintAll(matte, stroke.pieces) : applyPatch(matte, stroke.patch);
      stroke.isStale = false;
      undoStack.current.push(stroke);
      update();
      findNextEdges();
    },
    canUndo: counts.done > 0,
    canRedo: counts.undone > 0,
    isFindingEdges: counts.waiting > 0,
    hasFailed,
    async settled() {
      while (search.current) await search.current;
    },
  };
}

/** Paints a stroke and returns the patch that undoes it. */
function paintAll(matte: Matte, pieces: readonly Piece[]): Patch {
  const box = strokeBox(pieces, matte);
  const patch = { ...box, values: cropValues(matte.values, matte.width, box) };
  for (const { brush, from, to } of pieces) paint(matte, brush, from, to);
  return patch;
}
