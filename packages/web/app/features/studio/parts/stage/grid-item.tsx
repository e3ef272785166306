import { Ban, Check, Clock, Download, SlidersHorizontal, TriangleAlert } from "lucide-react";
import { type MouseEvent, memo } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { formatBytes, formatChange, formatSides } from "../../../../lib/size.ts";
import { FileName } from "../../../../ui/file-name.tsx";
import { isDoubtful } from "../../state/cut-out-remarks.ts";
import { judgePicture } from "../../state/judge-picture.ts";
import { isBusy, isDrawn, type Picture, type PictureId } from "../../state/picture.ts";
import type { SelectionChange } from "../../state/selection.ts";
import type { StudioState } from "../../state/studio-state.ts";
import { stageProgress } from "../../state/summary.ts";
import { remarksOf } from "../results/end-sentences.ts";
import { Thumbnail } from "./thumbnail.tsx";
import { stageOf } from "./work-overlay.tsx";

export const isUnsendable = (picture: Picture, state: StudioState): boolean =>
  picture.outcome.kind === "none" && judgePicture(picture, state) !== undefined;

type Props = {
  picture: Picture;
  isSelected: boolean;
  /** The one with the tab stop. */
  isActive: boolean;
  isUnsendable: boolean;
  isCustomised: boolean;
  isAfterRun: boolean;
  /** The change in bytes is meaningful for this batch. */
  showsBytes: boolean;
  /** For a waiting picture: how many pictures are ahead of its batch in the queue. */
  position: number | undefined;
  onTake(id: PictureId, change: SelectionChange): void;
  onOpen(id: PictureId): void;
};

/** A picture in the grid, with its progress or what became of it. */
export const GridItem = memo(function GridItem({ picture, onTake, onOpen, ...props }: Props) {
  const { isSelected, isActive, isCustomised } = props;
  const { id, name, outcome } = picture;
  const isFailed = outcome.kind === "failed" || props.isUnsendable;
  const isToCheck = outcome.kind === "held" || (outcome.kind === "done" && isDoubtful(outcome));
  const facts = [
    isCustomised && "with its own options",
    outcome.kind === "done" && (outcome.result.isSaved ? "saved" : "done"),
    isFailed && "cannot be processed",
    isToCheck && "needs attention",
    isBusy(picture) && (outcome.kind === "waiting" ? "waiting" : "in progress"),
    outcome.kind === "cancelled" && "cancelled",
  ].filter(Boolean);
  const remark = remarkOf(picture, props);
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
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      onDoubleClick={() => onOpen(id)}
      className={joinClasses(
        "relative min-w-0 cursor-default rounded-md p-1.5 select-none [contain-intrinsic-height:auto_12rem] [content-visibility:auto]",
        isSelected ? "bg-line outline-2 outline-ink" : "hover:bg-sunken",
      )}
    >
      <span aria-hidden className="flex aspect-square items-center justify-center overflow-hidden">
        <Thumbnail picture={picture} isWhole />
      </span>
      <span className="mt-1 block text-xs">
        <FileName name={outcome.kind === "done" ? outcome.result.name : name} />
      </span>{" "}
      <span
        title={remark}
        className={joinClasses(
          "line-clamp-2 min-h-4 text-xs",
          isFailed || isToCheck ? "text-accent-ink" : "text-muted",
        )}
      >
        {remark}
        <span className="sr-only">{facts.map((fact) => `, ${fact}`)}</span>
      </span>
      {isBusy(picture) && (
        <span aria-hidden className="mt-0.5 block h-1 overflow-hidden rounded-full bg-black/60">
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
        {outcome.kind === "done" && outcome.result.isSaved && <Download className="bg-ink text-page" />}
        {outcome.kind === "done" && !isToCheck && !outcome.result.isSaved && (
          <Check strokeWidth={2.5} className="bg-ink text-page" />
        )}
        {outcome.kind === "waiting" && <Clock className="bg-ink text-page" />}
        {outcome.kind === "cancelled" && <Ban className="bg-ink text-page" />}
        {(isFailed || isToCheck) && <TriangleAlert className="bg-accent text-on-accent" />}
      </span>
    </div>
  );
});

/** What became of a picture, in one line. */
function remarkOf(
  picture: Picture,
  { isAfterRun, showsBytes, position }: Omit<Props, "picture" | "onTake" | "onOpen">,
) {
  const { outcome, sizeBytes, sides } = picture;
  if (isBusy(picture)) return stageOf(picture, position);
  const remarks = remarksOf(picture).join(" ");
  if (outcome.kind === "done") {
    const { sizeBytes: afterBytes, sides: after } = outcome.result;
    const figures =
      showsBytes && sizeBytes > 0 && !isDrawn(picture)
        ? `${formatBytes(afterBytes)}, ${formatChange(sizeBytes, afterBytes)}`
        : `${formatSides(after.widthPx, after.heightPx)}, ${formatBytes(afterBytes)}`;
    return isDoubtful(outcome) ? remarks : [figures, remarks].filter(Boolean).join(". ");
  }
  if (remarks) return remarks;
  if (outcome.kind === "cancelled") return "Cancelled";
  if (outcome.kind === "none" && isAfterRun) return "Skipped";
  return [sides && formatSides(sides.widthPx, sides.heightPx), sizeBytes > 0 && formatBytes(sizeBytes)]
    .filter(Boolean)
    .join(", ");
}
