import { wholePreviewPx } from "@tintype/contract";
import { type ReactNode, useEffect, useState } from "react";
import { formatBytes, formatChange, formatKilobytes, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { fieldValue, isMovedPicture } from "../../state/form-fields.ts";
import { hasFrame } from "../../state/frame.ts";
import { orderOf } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { type PreviewResult, wholeSidePx } from "../../work/preview-client.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { type CompareMode, CompareModes } from "../compare/compare-modes.tsx";
import type { Zoom } from "../compare/fit-box.ts";
import { ZoomChoice } from "../compare/zoom-choice.tsx";
import { shownPx, useFramedUrl } from "../frame/framed-url.ts";
import { InToolbar } from "../inspector.tsx";
import { StageBar } from "../stage/stage-bar.tsx";
import { PartMap } from "./part-map.tsx";
import { previewRequest } from "./preview-request.ts";
import { useLivePreview } from "./use-live-preview.ts";
import { useSourcePart } from "./use-source-part.ts";

type Props = {
  picture: Picture;
  /** The unprocessed picture, shown until the preview arrives. */
  plain: ReactNode;
  /** Called if an automatic preview is refused. */
  onRefused: (() => void) | undefined;
  /** The picture's own tools, in the row below it. */
  children?: ReactNode;
};

/** Debounce of setting changes. */
const debounceMs = 250;

/** Previews the current settings on the whole picture or on a part at 1:1, with the file size. Default export for `lazy`. */
export default function LivePreview({ picture, plain, onRefused, children }: Props) {
  const tool = useStudioState((state) => state.tool);
  const chosen = useStudioState((state) => state);
  const { settings, frame } = orderOf(chosen, picture);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [mode, setMode] = useState<CompareMode>("slider");
  const [hasLens, setHasLens] = useState(false);
  // Said until another part or zoom is chosen.
  const [hasReachedLimit, setHasReachedLimit] = useState(false);
  const request = previewRequest(tool, settings, frame);
  const shown = zoom === "fit" ? { isWhole: true } : place;
  const missing = "missing" in request ? request.missing : undefined;
  const seen = useLivePreview(picture, "missing" in request ? undefined : { ...request, ...shown }, { debounceMs });
  const result = seen.kind === "seen" ? seen.result : undefined;
  const isAtLimit = seen.kind !== "waiting" && seen.isAtLimit;
  if (isAtLimit) {
    setHasReachedLimit(true);
    // Back to the last part, where other settings can still be tried. If that is refused too, to the whole picture.
    const isMoved = result && !result.isWhole && (place?.left !== result.left || place?.top !== result.top);
    if (isMoved) setPlace({ left: result.left, top: result.top });
    else setZoom("fit");
  }
  const isRefused = seen.kind === "failed" && seen.isRefused && !isAtLimit;
  useEffect(() => {
    if (isRefused) onRefused?.();
  }, [isRefused, onRefused]);
  const method = fieldValue("resize", settings, "method");
  const fit = tool === "resize" && method === "fill" ? "cover" : "fill";
  const sourceUrl = useFramedUrl(picture, frame, zoom === "fit" ? { maxPx: shownPx } : {});
  const sourcePartUrl = useSourcePart(sourceUrl, result, fit);
  const isMoved = isMovedPicture(tool, settings);
  const beforeUrl = isMoved ? undefined : sourcePartUrl;
  const part = result?.isWhole ? { width: result.width, height: result.height } : result?.shown;
  const move = (to: { left: number; top: number }) => {
    setHasReachedLimit(false);
    setPlace(to);
  };
  const chooseZoom = (to: Zoom) => {
    setHasReachedLimit(false);
    setZoom(to);
  };
  return (
    <section aria-label="Live preview" className="flex min-h-0 flex-1 flex-col">
      <div className="relative flex min-h-0 flex-1 flex-col">
        {seen.kind === "seen" && result && part && !missing ? (
          <>
            <CompareModes
              mode={mode}
              beforeUrl={beforeUrl}
              beforeFit="fill"
              afterUrl={seen.url}
              sides={{ widthPx: part.width, heightPx: part.height }}
              alt={result.isWhole ? `Preview of ${picture.name}` : `Part of ${picture.name}`}
              // After a change of the zoom the shown result may still be of the other kind, whole or part.
              zoom={result.isWhole ? "fit" : zoom}
              hasLens={hasLens}
              onLens={setHasLens}
              onMode={setMode}
            />
            {picture.preview.kind === "shown" && mode !== "side" && !result.isWhole && zoom !== "fit" && (
              <PartMap
                thumbUrl={hasFrame(frame) && sourceUrl ? sourceUrl : picture.preview.thumbUrl}
                {...{ width: result.width, height: result.height, part }}
                left={place?.left ?? result.left}
                top={place?.top ?? result.top}
                onMove={move}
              />
            )}
          </>
        ) : (
          plain
        )}
      </div>
      <StageBar>
        <ZoomChoice zoom={zoom} onZoom={chooseZoom} />
        {children}
      </StageBar>
      <InToolbar>
        <div className="flex flex-wrap items-center gap-x-3 text-sm tabular-nums">
          {/* Announces only settled values. */}
          <p role="status" aria-label="Preview">
            {hasReachedLimit && !missing && "Preview limit for this image reached. Submit to see the rest. "}
            {result && !missing ? (
              <Estimate {...{ picture, settings, result }} isOld={seen.kind === "seen" && seen.isOld} />
            ) : (
              <span className="text-muted">{missing ?? (seen.kind === "failed" && seen.sentence)}</span>
            )}
          </p>
          {seen.kind === "waiting" && !missing && (
            <p aria-hidden className="text-muted">
              Making a preview. It is free.
            </p>
          )}
          {seen.kind === "failed" && seen.retry && !missing && (
            <Button size="sm" onClick={seen.retry}>
              Try again
            </Button>
          )}
        </div>
      </InToolbar>
    </section>
  );
}

type EstimateProps = { picture: Picture; settings: ToolSettings; result: PreviewResult; isOld: boolean };

/** The estimated size of the whole file. */
function Estimate({ picture, settings, result, isOld }: EstimateProps) {
  const { sizeBytes, quality } = result;
  const tool = useStudioState((state) => state.tool);
  const limit = settings.aim === "size" ? Number(fieldValue(tool, settings, "max_bytes")) : undefined;
  const change =
    tool === "resize" ? formatSides(result.width, result.height) : formatChange(picture.sizeBytes, sizeBytes);
  // The options beside it offer the next steps.
  if (limit !== undefined && sizeBytes > limit && !isOld)
    return fieldValue(tool, settings, "allow_resize") === "true"
      ? `At most ${formatKilobytes(limit)}, with fewer pixels than shown`
      : `${formatKilobytes(limit)} is too small at this size in pixels`;
  return (
    <span className={isOld ? "text-muted" : undefined}>
      About <strong className="font-medium">{formatBytes(sizeBytes)}</strong>, {change}
      {quality === undefined ? "" : `, at quality ${quality}`}
      <span className="text-muted" aria-hidden={isOld || undefined}>
        {` · ${isOld ? "updating" : `preview is free${scaleNote(result)}`}`}
      </span>
    </span>
  );
}

/** The scale of a whole picture that would fit into a preview but is shown smaller, since previews are no results. */
function scaleNote({ isWhole, width, height }: PreviewResult): string {
  const longest = Math.max(width, height);
  const shownPx = wholePreviewPx({ width, height }, wholeSidePx);
  if (!isWhole || shownPx >= Math.min(longest, wholeSidePx)) return "";
  return `, shown at ${Math.round((100 * shownPx) / longest)}%`;
}
