import { Check, SlidersHorizontal, TriangleAlert, X } from "lucide-react";
import { memo } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { isBusy, type Picture, type PictureId } from "../../state/picture.ts";
import { stageProgress } from "../../state/summary.ts";
import { Thumbnail } from "./thumbnail.tsx";

type Props = {
  picture: Picture;
  isSelected: boolean;
  isOverLimit: boolean;
  /** The picture has custom options. */
  hasCustomOptions: boolean;
  mayCancel: boolean;
  onSelect(id: PictureId): void;
  onRemove(id: PictureId): void;
  onCancel(id: PictureId): void;
};

/** A picture in the strip: its thumbnail, its progress, and the button that removes or cancels it. */
export const StripItem = memo(function StripItem({ picture, onSelect, onRemove, onCancel, ...props }: Props) {
  const { isSelected, isOverLimit, hasCustomOptions, mayCancel } = props;
  const { id, name, outcome } = picture;
  const isBeingDone = isBusy(picture);
  return (
    <li className="relative shrink-0">
      <button
        type="button"
        aria-label={hasCustomOptions ? `Show ${name}, with its own options` : `Show ${name}`}
        aria-current={isSelected}
        onClick={() => onSelect(id)}
        className={joinClasses(
          "block size-16 overflow-hidden rounded-sm transition-opacity",
          isSelected ? "outline-2 outline-offset-2 outline-ink" : "[&>img]:opacity-75 [&>img]:hover:opacity-100",
        )}
      >
        <Thumbnail picture={picture} />
      </button>
      {isBeingDone && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-1 bottom-1 h-1 overflow-hidden rounded-full bg-black/60"
        >
          <div className="h-full origin-left bg-accent" style={{ transform: `scaleX(${stageProgress(picture)})` }} />
        </div>
      )}
      {(!isBeingDone || mayCancel) && (
        <button
          type="button"
          data-remove={id}
          aria-label={mayCancel ? `Cancel ${name}` : `Remove ${name}`}
          onClick={() => (mayCancel ? onCancel(id) : onRemove(id))}
          className="shown-on-hover absolute -top-1.5 -right-1.5 inline-flex size-6 items-center justify-center rounded-full bg-ink text-page shadow-card hover:bg-accent"
        >
          <X aria-hidden className="size-3.5" strokeWidth={2.5} />
        </button>
      )}
      {hasCustomOptions && <Badge icon={SlidersHorizontal} className="right-1 bg-ink text-page" />}
      {outcome.kind === "done" && <Badge icon={Check} className="left-1 bg-ink text-page" />}
      {(outcome.kind === "failed" || isOverLimit) && (
        <Badge icon={TriangleAlert} className="left-1 bg-accent text-on-accent" />
      )}
    </li>
  );
});

function Badge({ icon: Icon, className }: { icon: typeof Check; className: string }) {
  return (
    <span aria-hidden className={joinClasses("pointer-events-none absolute bottom-1 rounded-full p-0.5", className)}>
      <Icon className="size-3" strokeWidth={2.5} />
    </span>
  );
}
