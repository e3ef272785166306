import { mostPreviewedPx } from "@tintype/contract";
import { useState } from "react";
import { formatBytes, formatChange, formatKilobytes, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { fieldValue } from "../../state/form-fields.ts";
import { cropBoxOf, hasFrame, turnedSides } from "../../state/frame.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { type CompareMode, CompareModes, ModeChoice } from "../compare/compare-modes.tsx";
import type { Zoom } from "../compare/fit-box.ts";
import { ZoomChoice } from "../compare/zoom-choice.tsx";
import { PartMap } from "./part-map.tsx";
import { useLiveLook } from "./use-live-look.ts";
import { useSourcePart } from "./use-source-part.ts";
import { wishOf } from "./wish-of.ts";

type Props = { picture: Picture; onClose(): void };

/** The picture as the present settings would make it, whole or a part pixel by pixel, and the file's size. Default export: `lazy` loads it. */
export default function LivePreview({ picture, onClose }: Props) {
  const tool = useStudioState((state) => state.tool);
  const all = useStudioState((state) => state.settings);
  const settings = picture.own?.[tool] ?? all[tool];
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [mode, setMode] = useState<CompareMode>("slider");
  const [hasLens, setHasLens] = useState(false);
  const wish = wishOf(tool, settings);
  const shown = zoom === "fit" ? { isWhole: true } : place;
  const missing = "missing" in wish ? wish.missing : undefined;
  const seen = useLiveLook(picture, "missing" in wish ? undefined : { ...wish, ...shown });
  const look = seen.kind === "seen" ? seen.look : undefined;
  const method = fieldValue("resize", settings, "method");
  const fit = tool === "resize" && method === "fill" ? "cover" : "fill";
  const sourceUrl = picture.preview.kind === "shown" ? picture.preview.url : undefined;
  const beforeUrl = useSourcePart(sourceUrl, look, fit);
  const mostPx = look?.isWhole ? Number.POSITIVE_INFINITY : mostPreviewedPx;
  const part = look && { width: Math.min(mostPx, look.width), height: Math.min(mostPx, look.height) };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative flex min-h-72 flex-1 flex-col">
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
                thumbUrl={picture.preview.thumbUrl}
                {...{ width: look.width, height: look.height, part }}
                left={place?.left ?? look.left}
                top={place?.top ?? look.top}
                onMove={setPlace}
              />
            )}
          </>
        ) : (
          <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-sm text-muted">
            {missing ?? (seen.kind === "failed" ? seen.sentence : `Uploading ${picture.name} for the preview`)}
            {seen.kind === "failed" && !missing && (
              <Button size="sm" onClick={seen.retry}>
                Try again
              </Button>
            )}
          </div>
        )}
      </div>
      <p role="status" className="border-t border-line px-4 pt-2 text-sm tabular-nums">
        {look && !missing ? (
          <Estimate
            {...{ picture, settings }}
            sizeBytes={look.sizeBytes}
            sides={look}
            quality={look.quality}
            isOld={seen.kind === "seen" && seen.isOld}
          />
        ) : (
          <span className="text-muted">The file size estimate appears with the first preview. Previews are free.</span>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2 sm:px-4">
        <ZoomChoice zoom={zoom} onZoom={setZoom} hasLens={hasLens} onLens={setHasLens} />
        <div className="max-sm:order-last">
          <ModeChoice mode={mode} onMode={setMode} />
        </div>
        <Button size="sm" onClick={onClose}>
          <span>
            Close<span className="max-sm:sr-only"> preview</span>
          </span>
        </Button>
      </div>
    </div>
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

/** Of the whole file. A crop takes its share of the bytes away. */
function Estimate({ picture, settings, sizeBytes, sides, quality, isOld }: Told) {
  const tool = useStudioState((state) => state.tool);
  const limit = settings.aim === "size" ? Number(fieldValue(tool, settings, "max_bytes")) : undefined;
  const { frame } = picture;
  const share = tool !== "resize" && hasFrame(frame) && picture.sides ? shareOf(picture.sides, frame) : 1;
  const bytes = Math.round(sizeBytes * share);
  const change = tool === "resize" ? formatSides(sides.width, sides.height) : formatChange(picture.sizeBytes, bytes);
  // The options beside it offer the ways on.
  if (limit !== undefined && bytes > limit && !isOld)
    return fieldValue(tool, settings, "allow_resize") === "true"
      ? `At most ${formatKilobytes(limit)}, with fewer pixels than shown`
      : `${formatKilobytes(limit)} is too small at this size in pixels`;
  return (
    <span className={isOld ? "text-muted" : undefined}>
      About <strong className="font-medium">{formatBytes(bytes)}</strong>, {change}
      {quality === undefined ? "" : `, at quality ${quality}`}
      <span className="text-muted"> · preview is free{frame && ", and leaves out your crop and rotation"}</span>
    </span>
  );
}

function shareOf(sides: NonNullable<Picture["sides"]>, frame: Parameters<typeof cropBoxOf>[1]): number {
  const box = cropBoxOf(turnedSides(sides, frame), frame);
  return (box.width * box.height) / (sides.widthPx * sides.heightPx);
}
