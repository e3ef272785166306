import { Check, Download, X } from "lucide-react";
import { memo, Suspense } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { formatBytes, formatChange } from "../../../../lib/size.ts";
import { FileName } from "../../../../ui/file-name.tsx";
import { Progress } from "../../../../ui/progress.tsx";
import { isDoubtful } from "../../state/cut-out-remarks.ts";
import { isBusy, isDrawn, type Picture, type PictureId } from "../../state/picture.ts";
import { stageProgress } from "../../state/summary.ts";
import { Thumbnail } from "../stage/thumbnail.tsx";
import { stageOf } from "../stage/work-overlay.tsx";
import { remarksOf } from "./end-sentences.ts";
import { useDragOut } from "./use-drag-out.ts";

const HeldActions = lazyChunk(async () => ({ default: (await import("../held/held-result.tsx")).HeldActions }));

type Props = {
  picture: Picture;
  isSelected: boolean;
  /** The picture was sent with custom options. */
  hasCustomOptions: boolean;
  /** The change in bytes is meaningful for this batch. */
  showsBytes: boolean;
  /** For a waiting picture: how many pictures are ahead of its batch in the queue. */
  position: number | undefined;
  mayCancel: boolean;
  onSelect(id: PictureId): void;
  onSave(id: PictureId): void;
  onCancel(id: PictureId): void;
};

/** One picture of a batch: its progress, its outcome and its download. */
export const ResultRow = memo(function ResultRow({ picture, onSelect, onSave, onCancel, ...props }: Props) {
  const { isSelected, hasCustomOptions, showsBytes, position, mayCancel } = props;
  const { id, name, outcome } = picture;
  const dragged = useDragOut(outcome.kind === "done" ? id : undefined);
  return (
    <li
      {...dragged}
      className={joinClasses(
        "list-row relative flex items-center gap-3 rounded-md px-2 py-2 @xl:gap-4",
        isSelected ? "bg-sunken" : "hover:bg-sunken/60",
      )}
    >
      <button
        type="button"
        aria-label={`Show ${name}`}
        aria-current={isSelected}
        onClick={() => onSelect(id)}
        className="absolute inset-0 rounded-md -outline-offset-2"
      />
      <span className="size-12 shrink-0 overflow-hidden rounded-sm">
        <Thumbnail picture={picture} />
      </span>
      {/* In a narrow list the figures are below the name, which needs the width. */}
      <div className="min-w-0 flex-1 @xl:flex @xl:items-center @xl:gap-4">
        <div className="min-w-0 flex-1">
          <FileName name={outcome.kind === "done" ? outcome.result.name : name} className="text-sm font-medium" />
          <Remarks picture={picture} hasCustomOptions={hasCustomOptions} position={position} />
          {outcome.kind === "held" && (
            <Suspense fallback={null}>
              <HeldActions id={id} name={name} held={outcome.held} isCompact />
            </Suspense>
          )}
        </div>
        {outcome.kind === "done" && (
          <Figures picture={picture} afterBytes={outcome.result.sizeBytes} showsBytes={showsBytes} />
        )}
      </div>
      {outcome.kind === "done" && (
        <button
          type="button"
          aria-label={`Download ${outcome.result.name}`}
          onClick={() => onSave(id)}
          className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-page hover:text-ink"
        >
          {outcome.result.isSaved ? (
            <Check aria-hidden className="size-4.5" />
          ) : (
            <Download aria-hidden className="size-4.5" />
          )}
        </button>
      )}
      {mayCancel && (
        <button
          type="button"
          data-cancel={id}
          aria-label={`Cancel ${name}`}
          title="Cancel this image"
          onClick={() => onCancel(id)}
          className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-page hover:text-ink"
        >
          <X aria-hidden className="size-4.5" />
        </button>
      )}
    </li>
  );
});

function Remarks({ picture, hasCustomOptions, position }: Pick<Props, "picture" | "hasCustomOptions" | "position">) {
  const { outcome } = picture;
  if (isBusy(picture))
    return (
      <div className="mt-1 flex items-center gap-3 text-xs text-muted">
        <span className="w-36 shrink-0 truncate @xl:w-48">{stageOf(picture, position)}</span>
        <Progress label={picture.name} value={stageProgress(picture)} className="max-w-64 flex-1" />
      </div>
    );
  const isBad =
    outcome.kind === "failed" || outcome.kind === "held" || (outcome.kind === "done" && isDoubtful(outcome));
  const remarks = remarksOf(picture).join(" ") || (outcomeLabels[outcome.kind] ?? "");
  const sentence = [remarks, hasCustomOptions && "Custom options."].filter(Boolean).join(" ");
  return sentence && <p className={joinClasses("text-xs", isBad ? "text-accent-ink" : "text-muted")}>{sentence}</p>;
}

/** Labels for outcomes without remarks. */
const outcomeLabels: { [Kind in Picture["outcome"]["kind"]]?: string } = { cancelled: "Cancelled", none: "Skipped" };

/** The change in bytes is meaningless for an enlargement, a cut-out or a rasterised vector drawing. */
function Figures({ picture, afterBytes, showsBytes }: Pick<Props, "picture" | "showsBytes"> & { afterBytes: number }) {
  const beforeBytes = picture.sizeBytes;
  if (beforeBytes === 0 || !showsBytes || isDrawn(picture))
    return <p className="shrink-0 text-xs text-muted">{formatBytes(afterBytes)}</p>;
  return (
    <p className="shrink-0 text-xs text-muted @xl:flex @xl:items-center @xl:gap-4 @xl:text-right @xl:text-sm">
      <span className="hidden @xl:inline">
        {formatBytes(beforeBytes)} to {formatBytes(afterBytes)}
      </span>
      <span className="block font-medium text-ink @xl:w-28">{formatChange(beforeBytes, afterBytes)}</span>
    </p>
  );
}
