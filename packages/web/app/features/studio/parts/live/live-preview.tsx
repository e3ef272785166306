import { mostPreviewedPx } from "@tintype/contract";
import { type ReactNode, useEffect, useState } from "react";
import { formatBytes, formatChange, formatKilobytes, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { fieldValue } from "../../state/form-fields.ts";
import { hasFrame } from "../../state/frame.ts";
import { orderOf } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { type CompareMode, CompareModes, ModeChoice } from "../compare/compare-modes.tsx";
import type { Zoom } from "../compare/fit-box.ts";
import { ZoomChoice } from "../compare/zoom-choice.tsx";
import { shownPx, useFramedUrl } from "../frame/framed-url.ts";
import { PartMap } from "./part-map.tsx";
import { useLiveLook } from "./use-live-look.ts";
import { useSourcePart } from "./use-source-part.ts";
import { wishOf } from "./wish-of.ts";

/** `plain`: the picture as it is, which is shown until the preview comes. `onRefused`: of one that nobody asked for. */
type Props = { picture: Picture; plain: ReactNode; onRefused: (() => void) | undefined };

/** A setting that is still changed is asked for when it rests so long. */
const restMs = 250;

/** The picture as the present settings would make it, whole or a part pixel by pixel, and the file's size. Default export: `lazy` loads it. */
export default function LivePreview({ picture, plain, onRefused }: Props) {
  const tool = useStudioState((state) => state.tool);
  const chosen = useStudioState((state) => state);
  const { settings, frame } = orderOf(chosen, picture);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [mode, setMode] = useState<CompareMode>("slider");
  const [hasLens, setHasLens] = useState(false);
  const wish = wishOf(tool, settings, frame);
  const shown = zoom === "fit" ? { isWhole: true } : place;
  const missing = "missing" in wish ? wish.missing : undefined;
  const seen = useLiveLook(picture, "missing" in wish ? undefined : { ...wish, ...shown }, { restMs });
  const look = seen.kind === "seen" ? seen.look : undefined;
  const isRefused = seen.kind === "failed" && seen.isRefused;
  useEffect(() => {
    if (isRefused) onRefused?.();
  }, [isRefused, onRefused]);
  const method = fieldValue("resize", settings, "method");
  const fit = tool === "resize" && method === "fill" ? "cover" : "fill";
  const sourceUrl = useFramedUrl(picture, frame, zoom === "fit" ? { mostPx: shownPx } : {});
  const beforeUrl = useSourcePart(sourceUrl, look, fit);
  const mostPx = look?.isWhole ? Number.POSITIVE_INFINITY : mostPreviewedPx;
  const part = look && { width: Math.min(mostPx, look.width), height: Math.min(mostPx, look.height) };
  return (
    <section aria-label="Live preview" className="flex min-h-0 flex-1 flex-col">
      <div className="relative flex min-h-48 flex-1 flex-col md:min-h-64">
        {seen.kind === "seen" && look && part && !missing ? (
          <>
            <CompareModes
              mode={mode}
              beforeUrl={beforeUrl}
              beforeFit="fill"
              afterUrl={seen.url}
              sides={{ widthPx: part.width, heightPx: part.height }}
              alt={look.isWhole ? `Preview of ${picture.name}` : `Part of ${picture.name}`}
              // A part that comes after a change of the zoom is not yet the whole, nor the whole a part.
              zoom={look.isWhole ? "fit" : zoom}
              hasLens={hasLens && zoom === "fit"}
            />
            {picture.preview.kind === "shown" && mode !== "side" && !look.isWhole && zoom !== "fit" && (
              <PartMap
                thumbUrl={hasFrame(frame) && sourceUrl ? sourceUrl : picture.preview.thumbUrl}
                {...{ width: look.width, height: look.height, part }}
                left={place?.left ?? look.left}
                top={place?.top ?? look.top}
                onMove={setPlace}
              />
            )}
          </>
        ) : (
          plain
        )}
      </div>
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 border-t border-line px-4 pt-1 text-sm tabular-nums">
        {/* Told is what has settled. */}
        <p role="status">
          {look && !missing ? (
            <Estimate
              {...{ picture, settings }}
              sizeBytes={look.sizeBytes}
              sides={look}
              quality={look.quality}
              isOld={seen.kind === "seen" && seen.isOld}
            />
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
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-1.5 sm:px-4">
        <ZoomChoice zoom={zoom} onZoom={setZoom} hasLens={hasLens} onLens={setHasLens} />
        <ModeChoice mode={mode} onMode={setMode} />
      </div>
    </section>
  );
}

type Told = {
  picture: Picture;
  settings: ToolSettings;
  sizeBytes: number;
  sides: { width: number; height: number };
  quality: number | undefined;
  isOld: boolean;
};

/** Of the whole file. */
function Estimate({ picture, settings, sizeBytes, sides, quality, isOld }: Told) {
  const tool = useStudioState((state) => state.tool);
  const limit = settings.aim === "size" ? Number(fieldValue(tool, settings, "max_bytes")) : undefined;
  const change =
    tool === "resize" ? formatSides(sides.width, sides.height) : formatChange(picture.sizeBytes, sizeBytes);
  // The options beside it offer the ways on.
  if (limit !== undefined && sizeBytes > limit && !isOld)
    return fieldValue(tool, settings, "allow_resize") === "true"
      ? `At most ${formatKilobytes(limit)}, with fewer pixels than shown`
      : `${formatKilobytes(limit)} is too small at this size in pixels`;
  return (
    <span className={isOld ? "text-muted" : undefined}>
      About <strong className="font-medium">{formatBytes(sizeBytes)}</strong>, {change}
      {quality === undefined ? "" : `, at quality ${quality}`}
      <span className="text-muted" aria-hidden={isOld || undefined}>
        {` · ${isOld ? "updating" : "preview is free"}`}
      </span>
    </span>
  );
}
