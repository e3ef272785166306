import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ComponentType, useCallback, useRef } from "react";
import { scrollBehavior } from "../../../../lib/scroll-behavior.ts";
import type { PictureId } from "../../state/picture.ts";
import { shownOrder } from "../../state/summary.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { StripItem } from "./strip-item.tsx";

/** From this many pictures on the strip has arrows, and each moves it by so much. docs/product.md */
const arrowsFrom = 10;
const arrowStepPx = 100;

/** All pictures, small: to look at one, and to take one away. */
export function PictureStrip() {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const runTool = useStudioState((state) => state.run?.tool);
  const selectedId = useStudioState((state) => state.selectedId);
  const list = useRef<HTMLUListElement>(null);

  const select = useCallback((id: PictureId) => studio.dispatch({ type: "picture-selected", id }), [studio]);
  const cancel = useCallback((id: PictureId) => studio.dispatch({ type: "picture-cancelled", id }), [studio]);
  const remove = useCallback(
    (id: PictureId) => {
      // The button that had the focus goes; its neighbour takes the focus for the next key.
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [])];
      const at = buttons.findIndex(({ dataset }) => dataset["remove"] === id);
      (buttons[at + 1] ?? buttons[at - 1])?.focus();
      studio.dispatch({ type: "pictures-removed", ids: [id] });
    },
    [studio],
  );
  const scroll = (stepPx: number) => list.current?.scrollBy({ left: stepPx, behavior: scrollBehavior() });

  const hasArrows = pictures.length >= arrowsFrom;
  return (
    <div className="flex items-center gap-1 border-t border-line px-2 py-2">
      {hasArrows && <Arrow label="Scroll back" icon={ChevronLeft} onClick={() => scroll(-arrowStepPx)} />}
      <ul ref={list} aria-label="Images" className="no-scrollbar flex min-w-0 flex-1 gap-2 overflow-x-auto p-1.5">
        {shownOrder(pictures, runTool).map((picture) => (
          <StripItem
            key={picture.id}
            picture={picture}
            isSelected={picture.id === selectedId}
            onSelect={select}
            onRemove={remove}
            onCancel={cancel}
          />
        ))}
      </ul>
      {hasArrows && <Arrow label="Scroll on" icon={ChevronRight} onClick={() => scroll(arrowStepPx)} />}
    </div>
  );
}

type ArrowProps = { label: string; icon: ComponentType<{ className?: string }>; onClick(): void };

function Arrow({ label, icon: Icon, onClick }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="inline-flex h-16 w-8 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon className="size-5" />
    </button>
  );
}
