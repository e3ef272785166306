import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ComponentType, memo, useCallback, useRef } from "react";
import { scrollBehavior } from "../../../../lib/scroll-behavior.ts";
import { judgePicture } from "../../state/judge-picture.ts";
import { hasCustomOptions } from "../../state/order.ts";
import type { PictureId } from "../../state/picture.ts";
import { cancellableIds, type StudioState } from "../../state/studio-state.ts";
import { useStateForList, useStudio } from "../../work/studio-context.tsx";
import { StripItem } from "./strip-item.tsx";

/** A strip of this many pictures or more has arrows, which scroll it by `arrowStepPx` (docs/product.md). */
const arrowsFrom = 10;
const arrowStepPx = 100;

/** A strip of thumbnails to select or remove pictures. */
export function PictureStrip() {
  return <Strip state={useStateForList()} />;
}

const Strip = memo(function Strip({ state }: { state: StudioState }) {
  const studio = useStudio();
  const { pictures, selectedId, tool } = state;
  const cancellable = cancellableIds(state);
  const list = useRef<HTMLUListElement>(null);

  const select = useCallback((id: PictureId) => studio.dispatch({ type: "picture-selected", id }), [studio]);
  const cancel = useCallback((id: PictureId) => studio.dispatch({ type: "picture-cancelled", id }), [studio]);
  const remove = useCallback(
    (id: PictureId) => {
      // The focused button disappears, so focus its neighbour.
      const present = new Set<string | undefined>(studio.read().pictures.map((picture) => picture.id));
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [])].filter(({ dataset }) =>
        present.has(dataset["remove"]),
      );
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
        {pictures.map((picture) => (
          <StripItem
            key={picture.id}
            picture={picture}
            isSelected={picture.id === selectedId}
            isOverLimit={picture.outcome.kind === "none" && judgePicture(picture, state) !== undefined}
            hasCustomOptions={hasCustomOptions(picture, tool)}
            mayCancel={cancellable.has(picture.id)}
            onSelect={select}
            onRemove={remove}
            onCancel={cancel}
          />
        ))}
      </ul>
      {hasArrows && <Arrow label="Scroll on" icon={ChevronRight} onClick={() => scroll(arrowStepPx)} />}
    </div>
  );
});

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
