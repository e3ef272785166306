import { type ReactNode, Suspense, useState } from "react";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { fieldValue, isMovedPicture } from "../../state/form-fields.ts";
import { framedSides, type Sides } from "../../state/frame.ts";
import { isMaskOnly } from "../../state/order.ts";
import type { Picture, Result } from "../../state/picture.ts";
import { isRecipe } from "../../state/steps.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { editOf } from "../edit/edit-settings.ts";
import type { Choices } from "../edit/use-choices.ts";
import { useFramedUrl } from "../frame/framed-url.ts";
import { InInspector } from "../inspector.tsx";
import { StageBar } from "../stage/stage-bar.tsx";
import { type CompareMode, CompareModes } from "./compare-modes.tsx";
import { isSameShape, type Zoom } from "./fit-box.ts";
import { ZoomChoice } from "./zoom-choice.tsx";

type Props = { picture: Picture; result: Result; choices: Choices; resultUrl: string; children: ReactNode };

const BackgroundChoice = lazyChunk(async () => ({
  default: (await import("../edit/background-choice.tsx")).BackgroundChoice,
}));

const CandidateChoice = lazyChunk(async () => ({
  default: (await import("../edit/candidate-choice.tsx")).CandidateChoice,
}));

/** A result with its original and the tools to compare them, whole or pixel by pixel. Transparency shows a checkerboard. */
export function Comparison({ picture, result, choices, resultUrl, children }: Props) {
  const run = useStudioState((state) => state.run);
  const order = run?.orders.get(picture.id);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [hasLens, setHasLens] = useState(run?.tool === "upscale");

  const [mode, setMode] = useState<CompareMode>("slider");
  const frame = order?.frame;
  const originalUrl = useFramedUrl(picture, frame);

  const sides = picture.sides && framedSides(picture.sides, frame);
  // The original under a resized result is cropped or stretched like the resize did.
  const method = order?.tool === "resize" ? fieldValue("resize", order.settings, "method") : "fit";
  const { outcome } = picture;
  const isCutOut = run?.tool === "remove-background" && !isRecipe(run);
  // For a mask-only result the server would return a cut-out.
  const job = isCutOut && !isMaskOnly(order) ? result.job : undefined;
  const candidates = job && outcome.kind === "done" ? (outcome.candidates?.length ?? 1) : 1;
  const { settings = editOf(result, order), statusOf } = choices.of(picture.id, result);
  const isMoved = order !== undefined && isMovedPicture(order.tool, order.settings);
  const isComparable =
    sides !== undefined && !isMoved && (method !== "fit" || canOverlay(sides, result.sides, { isCutOut }));
  const beforeUrl = isComparable ? originalUrl : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <CompareModes
        mode={mode}
        beforeUrl={beforeUrl}
        beforeFit={method === "fill" ? "cover" : "fill"}
        afterUrl={resultUrl}
        sides={result.sides}
        alt={result.name}
        zoom={zoom}
        onZoom={setZoom}
        hasLens={hasLens}
        onLens={setHasLens}
        onMode={setMode}
      />
      <StageBar>
        <ZoomChoice zoom={zoom} onZoom={setZoom} />
        {children}
      </StageBar>
      {job && (
        <InInspector>
          <Suspense fallback={null}>
            <div className="flex flex-col gap-4 border-t border-line px-4 py-4">
              {candidates > 1 && (
                <CandidateChoice
                  {...{ picture, job, order, candidates }}
                  chosen={settings.candidate}
                  status={statusOf("candidate")}
                  onChoose={(candidate, waitMs) =>
                    choices.choose(picture.id, { part: "candidate", change: { candidate }, waitMs })
                  }
                />
              )}
              <BackgroundChoice
                edit={settings}
                status={statusOf("background")}
                onChoose={(ground, waitMs) =>
                  choices.choose(picture.id, { part: "background", change: ground, waitMs })
                }
              />
            </div>
          </Suspense>
        </InInspector>
      )}
    </div>
  );
}

/** Whether the two can be overlaid. A cropped cut-out shows another section, even with the same aspect ratio. */
const canOverlay = (before: Sides, after: Sides, { isCutOut }: { isCutOut: boolean }) =>
  isCutOut ? before.widthPx === after.widthPx && before.heightPx === after.heightPx : isSameShape(before, after);
