import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import { inGroup, sortedBy } from "../../state/grid-view.ts";
import { hasCustomOptions } from "../../state/order.ts";
import type { PictureId } from "../../state/picture.ts";
import { type SelectionChange, selectionAfter } from "../../state/selection.ts";
import { cancellableIds, type StudioState } from "../../state/studio-state.ts";

import { useStateForList, useStudio } from "../../work/studio-context.tsx";
import { isAboutBytes } from "../results/end-sentences.ts";
import { GridFilter } from "./grid-filter.tsx";
import { GridItem, isUnsendable } from "./grid-item.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useBoxSelection } from "./use-box-selection.ts";
import { queuePosition } from "./work-overlay.tsx";

/** All pictures with what became of them. Selected with Shift and Control clicks, a box, or the keyboard. */
export function PictureGrid() {
  return <Grid state={useStateForList()} />;
}

const Grid = memo(function Grid({ state }: { state: StudioState }) {
  const studio = useStudio();
  const { pictures, selection, grid, run, tool } = state;
  // An emptied group would show an empty grid without an explanation.
  const group = inGroup(pictures, grid.group).length > 0 ? grid.group : "all";
  const shown = sortedBy(grid.sort, inGroup(pictures, group));
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
      studio.dispatch({ type: "grid-changed", grid: { isOpen: false } });
    },
    [studio],
  );
  const optionOf = (id: PictureId | undefined) =>
    [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset["id"] === id) as
      | HTMLElement
      | undefined;

  /** The focused element disappears with the selection: then the active picture takes the focus. */
  const isFocusDue = useRef(false);
  const focusActive = () => {
    isFocusDue.current = true;
  };
  useEffect(() => {
    if (isFocusDue.current) list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    isFocusDue.current = false;
  });
  /** Those that are shown: a picture leaves its group when its outcome changes. */
  const selectedIds = () => [...studio.read().selection].filter((id) => latest.current.includes(id));
  /** Cancels the selected pictures that a running batch can still cancel, and removes the rest of the selection. */
  const removeSelected = () => {
    const cancellable = cancellableIds(studio.read());
    const ids = selectedIds();
    for (const id of ids) if (cancellable.has(id)) studio.dispatch({ type: "picture-cancelled", id });
    studio.dispatch({ type: "pictures-removed", ids: ids.filter((id) => !cancellable.has(id)) });
    focusActive();
  };
  /** Decides about the held results of the selection, or of the active picture. */
  const decide = (decision: "keep" | "discard") => {
    const ids = new Set(selection.size > 0 ? selectedIds() : [active]);
    for (const { id, outcome } of studio.read().pictures)
      if (outcome.kind === "held" && ids.has(id)) studio.decideHeld(id, decision);
  };

  function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (active === undefined) return;
    const letter = isCommand || event.altKey ? "" : key.toLowerCase();
    if (key === "Enter" || letter === "c") open(active);
    else if (key === " ") take(active, shiftKey ? "range" : "toggle");
    else if (letter === "k") decide("keep");
    else if (letter === "x") decide("discard");
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
      <GridFilter {...{ pictures, group }} sort={grid.sort} cellPx={grid.cellPx} />
      <div className="relative min-h-64 flex-1">
        <div className="absolute inset-0 overflow-auto p-3 sm:p-4" {...dragging}>
          <div
            ref={list}
            role="listbox"
            aria-label="Images"
            aria-multiselectable
            aria-keyshortcuts="C K X"
            onFocus={({ target }) => setActiveId(target.dataset["id"] as PictureId)} // set by the items
            onKeyDown={onKeyDown}
            className="grid gap-2"
            style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${grid.cellPx}px, 44%), 1fr))` }}
          >
            {shown.map((picture) => (
              <GridItem
                key={picture.id}
                picture={picture}
                isSelected={selection.has(picture.id)}
                isActive={picture.id === active}
                isUnsendable={isUnsendable(picture, state)}
                isCustomised={hasCustomOptions(picture, tool)}
                isAfterRun={run !== undefined}
                showsBytes={run !== undefined && isAboutBytes(run)}
                position={picture.outcome.kind === "waiting" ? queuePosition(run) : undefined}
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
      <SelectionBar order={order} onRemove={removeSelected} onDecide={decide} onEmptied={focusActive} />
    </>
  );
});

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
