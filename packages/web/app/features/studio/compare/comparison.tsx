import { useState } from "react";
import { fieldValue } from "../state/form-fields.ts";
import type { Picture, Result, Sides } from "../state/picture.ts";
import { useStudioState } from "../studio-context.tsx";
import type { Backdrop } from "./backdrop.ts";
import { BackdropChoice } from "./backdrop-choice.tsx";
import { CompareView } from "./compare-view.tsx";
import { isSameShape, type Zoom } from "./fit-box.ts";
import { ZoomChoice } from "./zoom-choice.tsx";

type Props = { picture: Picture; result: Result; resultUrl: string };

/** A result beside its original, with the tools to judge it: whole or pixel by pixel, and on which ground. */
export function Comparison({ picture, result, resultUrl }: Props) {
  const run = useStudioState((state) => state.run);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [hasLens, setHasLens] = useState(run?.tool === "upscale");
  const [backdrop, setBackdrop] = useState<Backdrop>({ kind: "checkerboard" });

  const { preview, sides } = picture;
  // A resized original is laid under its result the way the method laid it: cropped, or stretched.
  const method = run?.tool === "resize" && run.settings ? fieldValue("resize", run.settings, "method") : "fit";
  const isCutOut = run?.tool === "remove-background" && !run.others;
  const isComparable = sides !== undefined && (method !== "fit" || canLieOver(sides, result.sides, { isCutOut }));
  // A cut-out with a new background has no transparent parts.
  const isOpaque =
    isCutOut &&
    run.settings !== undefined &&
    ((run.settings.ground ?? "transparent") !== "transparent" ||
      fieldValue("remove-background", run.settings, "mask_only") === "true");
  const beforeUrl = preview.kind === "shown" && isComparable ? preview.url : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <CompareView
        beforeUrl={beforeUrl}
        beforeFit={method === "fill" ? "cover" : "fill"}
        afterUrl={resultUrl}
        sides={result.sides}
        alt={result.name}
        zoom={zoom}
        hasLens={hasLens && zoom === "fit"}
        backdrop={backdrop}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-3 py-2 sm:px-4">
        <ZoomChoice zoom={zoom} onZoom={setZoom} hasLens={hasLens} onLens={setHasLens} />
        {isCutOut && !isOpaque && <BackdropChoice backdrop={backdrop} onChoose={setBackdrop} />}
      </div>
    </div>
  );
}

/** A cut-out that was cropped shows another frame, whatever its shape. */
const canLieOver = (before: Sides, after: Sides, { isCutOut }: { isCutOut: boolean }) =>
  isCutOut ? before.widthPx === after.widthPx && before.heightPx === after.heightPx : isSameShape(before, after);
