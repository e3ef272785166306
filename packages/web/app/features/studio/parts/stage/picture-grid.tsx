import { Ban, Check, Clock, SlidersHorizontal, TriangleAlert } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useCallback,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { Button } from "../../../../ui/button.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import { judgePicture } from "../../state/judge-picture.ts";
import { hasCustomOptions } from "../../state/order.ts";
import { isBusy, type Picture, type PictureId } from "../../state/picture.ts";
import { type SelectionChange, selectionAfter } from "../../state/selection.ts";
import { cancellableIds, isRunning } from "../../state/studio-state.ts";
import { shownOrder, stageProgress } from "../../state/summary.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { Thumbnail } from "./thumbnail.tsx";

const CustomOptionsDialog = lazyChunk(() => import("../options/custom-options-dialog.tsx"));

/** Pointer movement from which a drag becomes a box selection, px. */
const dragFromPx = 6;

type Rectangle = { left: number; top: number; right: number; bottom: number };

/** Sides of the cells of the grid, px: at most about what a thumbnail has. */
export const cells = { min: 96, max: 256, first: 160 };

type GridProps = {
  cellPx: number;
  onCellPx(cellPx: number): void;
  /** A picture is opened on the stage. */
  onOpen(): void;
};

/** A grid to select pictures with Shift and Control clicks, a box, or the keyboard. */
export function PictureGrid({ cellPx, onCellPx, onOpen }: GridProps) {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const runTool = useStudioState((state) => state.run?.tool);
  const selection = useStudioState((state) => state.selection);
  const shown = shownOrder(pictures, runTool);
  const order = shown.map(({ id }) => id);
  const [activeId, setActiveId] = useState<PictureId>();
  const active = activeId !== undefined && order.includes(activeId) ? activeId : order[0];
  const list = useRef<HTMLDivElement>(null);
  const anchor = useRef<PictureId>(undefined);
  const { box, ...dragging } = useBoxSelection(list, (ids) => studio.dispatch({ type: "selection-changed", ids }));

  const latest = useRef(order);
  latest.current = order;
  const take = useCallback(
    (id: PictureId, change: SelectionChange) => {
      const { selection: before } = studio.read();
      const ids = selectionAfter({ selection: before, order: latest.current, anchor: anchor.current }, { id, change });
      if (change !== "range") anchor.current = id;
      setActiveId(id);
      studio.dispatch({ type: "selection-changed", ids });
    },
    [studio],
  );
  const open = useCallback(
    (id: PictureId) => {
      studio.dispatch({ type: "picture-selected", id });
      onOpen();
    },
    [studio, onOpen],
  );
  const optionOf = (id: PictureId | undefined) =>
    [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset["id"] === id) as
      | HTMLElement
      | undefined;

  /** The focused element disappears with the selection, so focus the active picture. */
  const focusActive = () =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus());
  /** Cancels the selected pictures that a running batch can still cancel, and removes the rest of the selection. */
  const removeSelected = () => {
    const state = studio.read();
    const cancellable = cancellableIds(state);
    const cancelled = [...state.selection].filter((id) => cancellable.has(id));
    for (const id of cancelled) studio.dispatch({ type: "picture-cancelled", id });
    studio.dispatch({ type: "pictures-removed", ids: [...state.selection].filter((id) => !cancelled.includes(id)) });
    focusActive();
  };

  function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (active === undefined) return;
    if (key === "Enter") open(active);
    else if (key === " ") take(active, shiftKey ? "range" : "toggle");
    else if (isCommand && key.toLowerCase() === "a")
      studio.dispatch({ type: "selection-changed", ids: new Set(order) });
    else if (key === "Escape" && selection.size > 0) studio.dispatch({ type: "selection-changed", ids: new Set() });
    else if (key === "Delete" && selection.size > 0) removeSelected();
    else {
      const to = neighbourOf(list.current, { index: order.indexOf(active), key });
      const next = to === undefined ? undefined : order[to];
      if (next === undefined) return;
      if (shiftKey) {
        anchor.current ??= active;
        take(next, "range");
      } else setActiveId(next);
      optionOf(next)?.focus();
    }
    event.preventDefault();
  }

  return (
    <>
      <div className="relative min-h-80 flex-1">
        <div className="absolute inset-0 overflow-auto p-3 sm:p-4" {...dragging}>
          <div
            ref={list}
            role="listbox"
            aria-label="Images"
            aria-multiselectable
            onKeyDown={onKeyDown}
            className="grid gap-2"
            style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${cellPx}px, 44%), 1fr))` }}
          >
            {shown.map((picture) => (
              <GridItem
                key={picture.id}
                picture={picture}
                isSelected={selection.has(picture.id)}
                isActive={picture.id === active}
                onTake={take}
                onOpen={open}
              />
            ))}
          </div>
          {box && (
            <div aria-hidden className="pointer-events-none fixed z-10 border border-white bg-white/15" style={box} />
          )}
        </div>
      </div>
      <SelectionBar order={order} onRemove={removeSelected} onEmptied={focusActive}>
        <input
          type="range"
          aria-label="Size of the images"
          min={cells.min}
          max={cells.max}
          value={cellPx}
          onChange={({ target }) => onCellPx(target.valueAsNumber)}
          className="h-8 w-24 cursor-pointer accent-ink"
        />
      </SelectionBar>
    </>
  );
}

type ItemProps = {
  picture: Picture;
  isSelected: boolean;
  isActive: boolean;
  onTake(id: PictureId, change: SelectionChange): void;
  onOpen(id: PictureId): void;
};

const GridItem = memo(function GridItem({ picture, isSelected, isActive, onTake, onOpen }: ItemProps) {
  const { id, name, outcome } = picture;
  const isOverLimit = useStudioState((state) => outcome.kind === "none" && judgePicture(picture, state) !== undefined);
  const isCustomised = useStudioState(({ tool }) => hasCustomOptions(picture, tool));
  const isFailed = outcome.kind === "failed" || isOverLimit;
  const facts = [
    isCustomised && "with its own options",
    outcome.kind === "done" && "done",
    isFailed && "cannot be processed",
    isBusy(picture) && (outcome.kind === "waiting" ? "waiting" : "in progress"),
    outcome.kind === "cancelled" && "cancelled",
  ].filter(Boolean);
  const onClick = ({ shiftKey, ctrlKey, metaKey, nativeEvent }: MouseEvent) => {
    const isFinger = "pointerType" in nativeEvent && nativeEvent.pointerType === "touch";
    onTake(id, shiftKey ? "range" : ctrlKey || metaKey || isFinger ? "toggle" : "only");
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      role="option"
      data-id={id}
      aria-selected={isSelected}
      aria-label={[name, ...facts].join(", ")}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      onDoubleClick={() => onOpen(id)}
      className={joinClasses(
        "relative min-w-0 cursor-default rounded-md p-1.5 select-none [content-visibility:auto]",
        isSelected ? "bg-line outline-2 outline-ink" : "hover:bg-sunken",
      )}
    >
      <span className="flex aspect-square items-center justify-center overflow-hidden">
        <Thumbnail picture={picture} isWhole />
      </span>
      <span className="mt-1 block text-xs text-muted">
        <FileName name={name} />
      </span>
      {isBusy(picture) && (
        <span aria-hidden className="absolute inset-x-3 bottom-8 h-1 overflow-hidden rounded-full bg-black/60">
          <span
            className="block h-full origin-left bg-accent"
            style={{ transform: `scaleX(${stageProgress(picture)})` }}
          />
        </span>
      )}
      <span
        aria-hidden
        className="absolute top-2.5 right-2.5 flex gap-1 [&>svg]:size-4.5 [&>svg]:rounded-full [&>svg]:p-0.5"
      >
        {isCustomised && <SlidersHorizontal className="bg-ink text-page" />}
        {outcome.kind === "done" && <Check strokeWidth={2.5} className="bg-ink text-page" />}
        {outcome.kind === "waiting" && <Clock className="bg-ink text-page" />}
        {outcome.kind === "cancelled" && <Ban className="bg-ink text-page" />}
        {isFailed && <TriangleAlert className="bg-accent text-on-accent" />}
      </span>
    </div>
  );
});

type BarProps = { order: readonly PictureId[]; onRemove(): void; onEmptied(): void; children: ReactNode };

/** Actions for the selected pictures. Submit applies to them too. */
function SelectionBar({ order, onRemove, onEmptied, children }: BarProps) {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const selection = useStudioState((state) => state.selection);
  const isWorking = useStudioState(isRunning);
  const cancellable = useStudioState((state) => {
    const ids = cancellableIds(state);
    return [...state.selection].some((id) => ids.has(id));
  });
  const [choosing, setChoosing] = useState<"open" | "closed">();
  const selected = pictures.filter(({ id }) => selection.has(id));
  const [first, ...more] = selected.filter(({ file, fault }) => file !== undefined && fault === undefined);
  const select = (ids: Iterable<PictureId>) => studio.dispatch({ type: "selection-changed", ids: new Set(ids) });
  const selectNone = () => {
    select([]);
    onEmptied();
  };
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-1 border-t border-line px-3 py-2 sm:px-4">
      <p role="status" className="mr-auto text-sm text-muted">
        {selected.length === 0
          ? `None selected: Submit runs all ${pictures.length}`
          : `${selected.length} of ${pictures.length} selected`}
      </p>
      {children}
      {selected.length > 0 && !isWorking && first && (
        <Button kind="quiet" size="sm" onClick={() => setChoosing("open")}>
          Custom options
        </Button>
      )}
      {selected.length > 0 && !isWorking && (
        <Button kind="quiet" size="sm" onClick={onRemove}>
          Remove selected
        </Button>
      )}
      {cancellable && (
        <Button kind="quiet" size="sm" onClick={onRemove}>
          Cancel selected
        </Button>
      )}
      {selected.length < pictures.length && (
        <Button kind="quiet" size="sm" onClick={() => select(order)}>
          Select all
        </Button>
      )}
      {selected.length > 0 && (
        <Button kind="quiet" size="sm" onClick={selectNone}>
          Select none
        </Button>
      )}
      {choosing &&
        first &&
        createPortal(
          <Suspense fallback={null}>
            <CustomOptionsDialog
              pictures={[first, ...more]}
              isOpen={choosing === "open"}
              onClose={() => setChoosing("closed")}
            />
          </Suspense>,
          document.body,
        )}
    </div>
  );
}

/** The index that a key leads to, by the browser's layout of the rows. */
function neighbourOf(list: HTMLElement | null, { index, key }: { index: number; key: string }): number | undefined {
  const items = [...(list?.children ?? [])] as HTMLElement[];
  const last = items.length - 1;
  const columns = items.findIndex(({ offsetTop }) => offsetTop !== items[0]?.offsetTop);
  const row = columns < 1 ? items.length : columns;
  const to = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - row,
    ArrowDown: index + row,
    Home: 0,
    End: last,
  }[key];
  return to !== undefined && to >= 0 && to <= last ? to : undefined;
}

/** A box drawn with the mouse, starting on or beside the pictures. It selects every picture that it touches. */
function useBoxSelection(list: { current: HTMLElement | null }, onSelect: (ids: ReadonlySet<PictureId>) => void) {
  const [box, setBox] = useState<{ left: number; top: number; width: number; height: number }>();
  const start = useRef<{ x: number; y: number }>(undefined);
  const end = (event: PointerEvent<HTMLElement>) => {
    start.current = undefined;
    setBox(undefined);
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId);
  };
  return {
    box,
    onPointerDown({ pointerType, button, clientX, clientY, currentTarget }: PointerEvent) {
      const isOnBar = clientX > currentTarget.getBoundingClientRect().left + currentTarget.clientWidth;
      if (pointerType === "mouse" && button === 0 && !isOnBar) start.current = { x: clientX, y: clientY };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = start;
      if (!current) return;
      if ((event.buttons & 1) === 0) return end(event); // released outside, without a pointerup event
      const { clientX: x, clientY: y } = event;
      if (!box && Math.hypot(x - current.x, y - current.y) < dragFromPx) return;
      // From here on it is a drag, not a click.
      event.currentTarget.setPointerCapture(event.pointerId);
      const drawn = {
        left: Math.min(x, current.x),
        top: Math.min(y, current.y),
        right: Math.max(x, current.x),
        bottom: Math.max(y, current.y),
      };
      setBox({ left: drawn.left, top: drawn.top, width: drawn.right - drawn.left, height: drawn.bottom - drawn.top });
      const touched = [...(list.current?.children ?? [])].filter((item) =>
        intersects(item.getBoundingClientRect(), drawn),
      );
      onSelect(new Set(touched.map((item) => (item as HTMLElement).dataset["id"] as PictureId))); // set by this grid
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

const intersects = (one: Rectangle, other: Rectangle): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
