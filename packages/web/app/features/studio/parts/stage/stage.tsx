import { ImageIcon } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { framedSides } from "../../state/frame.ts";
import { holdsAlpha, isBusy, type Picture } from "../../state/picture.ts";
import { fillRatio } from "../../state/resized-sides.ts";
import { isRunning, type StudioState } from "../../state/studio-state.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { Comparison } from "../compare/comparison.tsx";
import { isSameShape } from "../compare/fit-box.ts";
import { type Choices, useChoices } from "../edit/use-choices.ts";
import { shownPx, useFramedUrl } from "../frame/framed-url.ts";
import { automaticPreview, hasParts, isPreviewed } from "../live/preview-request.ts";
import { StageBar } from "./stage-bar.tsx";
import { type FocusTarget, StageTools, type StageView } from "./stage-tools.tsx";
import { WorkOverlay } from "./work-overlay.tsx";

const FillArea = lazyChunk(() => import("../frame/fill-area.tsx"));
const LivePreview = lazyChunk(() => import("../live/live-preview.tsx"));
const FrameEditor = lazyChunk(() => import("../frame/frame-editor.tsx"));
const HeldResultView = lazyChunk(() => import("../held/held-result.tsx"));
const CutOutEditor = lazyChunk(() => import("../edit/cut-out-editor.tsx"));

/** The selected picture: as it is, with its progress, compared with its result, or in an editing view. */
export function Stage({ isSeen }: { isSeen: boolean }) {
  const picture = useStudioState(
    ({ pictures, selectedId }) => pictures.find(({ id }) => id === selectedId) ?? pictures[0],
  );
  const tool = useStudioState((state) => state.tool);
  const isWorking = useStudioState(isRunning);
  const [view, setView] = useState<StageView>();
  // Whether the user switched the live preview on or off; undefined leaves it automatic.
  const [isLiveChosen, setIsLiveChosen] = useState<boolean>();
  // The view to move a cropped part takes precedence over an automatic preview.
  const automatic = useStudioState((state) =>
    picture === undefined || cropRatioOf(state, picture) !== undefined ? "hidden" : automaticPreview(state, picture),
  );
  // Per picture and tool: a shown preview stays while an option is being retyped, and a refused one is not shown again.
  const shownFor = `${tool}:${picture?.id}`;
  const [lastShown, setLastShown] = useState<string>();
  if (automatic === "shown" && lastShown !== shownFor) setLastShown(shownFor);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const isAutomatic =
    !refused.has(shownFor) && (automatic === "shown" || (automatic === "incomplete" && lastShown === shownFor));
  const focusTarget: FocusTarget = useRef(undefined);
  // Held here, so that a choice is kept when its picture is selected again.
  const choices = useChoices();
  // A run, or reused results, replace any open view with the progress and the result.
  const batch = useStudioState(({ run }) => run?.reusedIds);
  const [seen, setSeen] = useState({ isWorking, batch });
  if (seen.isWorking !== isWorking || seen.batch !== batch) {
    setSeen({ isWorking, batch });
    setView(undefined);
    if (isLiveChosen) setIsLiveChosen(undefined);
  }
  if (!picture) return null;
  const close = () => {
    focusTarget.current = view;
    setView(undefined);
  };
  const { outcome, preview, sides } = picture;
  const isLive = (isLiveChosen ?? isAutomatic) && isSeen && isPreviewed(tool) && hasParts(picture) && !isWorking;
  if (view === "frame" && preview.kind === "shown" && sides && !isWorking)
    return (
      <View key={view} label="Crop and rotate" onClose={close}>
        <FrameEditor key={picture.id} picture={picture} url={preview.url} sides={sides} onClose={close} />
      </View>
    );
  if (view === "edit" && outcome.kind === "done" && outcome.result.job)
    return (
      <View key={view} label="Cut-out" onClose={close}>
        <CutOutEditor
          key={picture.id}
          {...{ picture, result: outcome.result, job: outcome.result.job }}
          onClose={close}
        />
      </View>
    );
  const switchLive = () => {
    focusTarget.current = "live";
    setIsLiveChosen(!isLive);
  };
  const refuse = isLiveChosen ? undefined : () => setRefused((previous) => new Set([...previous, shownFor]));
  return (
    <Shown {...{ picture, choices, focusTarget, isLive }} onView={setView} onLive={switchLive} onRefused={refuse} />
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

/** Takes the focus, because the button that opened the view has disappeared. */
function View({ label, onClose, children }: { label: string; onClose(): void; children: ReactNode }) {
  return (
    <section
      ref={takeFocus}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && onClose()}
      className="flex min-h-0 flex-1 flex-col -outline-offset-2"
    >
      <Suspense fallback={<div className="min-h-72 flex-1" />}>{children}</Suspense>
    </section>
  );
}

type ShownProps = {
  picture: Picture;
  choices: Choices;
  isLive: boolean;
  onView(view: StageView): void;
  onLive(): void;
  focusTarget: FocusTarget;
  /** Called if the server refuses an automatic preview. */
  onRefused: (() => void) | undefined;
};

function Shown({ picture, choices, onRefused, ...tools }: ShownProps) {
  const { isLive } = tools;
  const { outcome } = picture;
  if (!isLive && outcome.kind === "done" && outcome.result.preview.kind === "shown") {
    const { result } = outcome;
    return (
      <Comparison key={picture.id} {...{ picture, result, choices }} resultUrl={outcome.result.preview.url}>
        <StageTools {...{ picture, ...tools }} isApplying={choices.of(picture.id, result).isApplying} />
      </Comparison>
    );
  }
  if (!isLive && outcome.kind === "held")
    return (
      <Suspense fallback={<div className="min-h-72 flex-1" />}>
        <HeldResultView key={picture.id} picture={picture} outcome={outcome} />
      </Suspense>
    );
  return <Unfinished {...{ picture, onRefused, ...tools }} />;
}

function Unfinished({ picture, onRefused, ...tools }: Omit<ShownProps, "choices">) {
  const isOnly = useStudioState(({ pictures }) => pictures.length === 1); // then the bar below shows the same progress
  // Held here, so that it is drawn once for all places that show the plain picture.
  const framedUrl = useFramedUrl(picture, picture.frame, { maxPx: shownPx });
  const { outcome } = picture;
  // The comparison has its own buttons. Buttons shown here would vanish under the pointer, with any dialog that they opened.
  const isDrawingResult = outcome.kind === "done" && outcome.result.preview.kind === "pending";
  const plain = (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Large picture={picture} framedUrl={framedUrl} />
      {isBusy(picture) && !isOnly && <WorkOverlay picture={picture} />}
      {/* Of a single picture the inspector says it. */}
      {!isOnly && (outcome.kind === "failed" || outcome.kind === "unchanged") && <Note>{outcome.reason}</Note>}
    </div>
  );
  return (
    <>
      {tools.isLive ? (
        <Suspense fallback={plain}>
          <LivePreview key={picture.id} picture={picture} plain={plain} onRefused={onRefused}>
            <StageTools {...{ picture, ...tools }} />
          </LivePreview>
        </Suspense>
      ) : (
        <>
          {plain}
          <StageBar>{!isDrawingResult && <StageTools {...{ picture, ...tools }} />}</StageBar>
        </>
      )}
    </>
  );
}

function Large({ picture, framedUrl }: { picture: Picture; framedUrl: string | undefined }) {
  const { preview, name, file, format, fault, sides } = picture;
  const ratio = useStudioState((state) => cropRatioOf(state, picture));
  if (preview.kind === "shown" && sides && ratio !== undefined)
    return (
      <Suspense fallback={<div className="min-h-64 flex-1" />}>
        <FillArea key={picture.id} picture={{ ...picture, sides }} url={framedUrl ?? preview.url} ratio={ratio} />
      </Suspense>
    );
  if (preview.kind === "shown")
    return (
      <div className="relative min-h-0 flex-1">
        <div className="absolute inset-3 flex items-center justify-center">
          <img
            src={framedUrl ?? preview.url}
            alt={name}
            // No checkerboard for a format without alpha: the missing part of a broken JPEG is not transparent.
            className={joinClasses("max-h-full max-w-full object-contain", holdsAlpha(format) && "checkerboard")}
            draggable={false}
          />
        </div>
      </div>
    );
  return (
    <div className="flex min-h-64 flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-sm text-muted">
      <ImageIcon aria-hidden className="size-8" strokeWidth={1.25} />
      {preview.kind === "none" || fault ? "No preview" : file ? "Creating a preview" : "Fetching the image"}
    </div>
  );
}

/** Aspect ratio, width divided by height, to which a resize crops the picture; undefined if it crops nothing visible. */
function cropRatioOf({ tool, settings, cursor }: StudioState, { customOptions, sides, frame, outcome }: Picture) {
  if (tool !== "resize" || cursor !== 0 || !sides || outcome.kind === "unchanged") return undefined;
  const ratio = fillRatio(customOptions?.resize ?? settings.resize);
  const framed = framedSides(sides, frame);
  return ratio !== undefined && !isSameShape(framed, { widthPx: ratio, heightPx: 1 }) ? ratio : undefined;
}

function Note({ children }: { children: ReactNode }) {
  return <p className="absolute inset-x-4 bottom-4 rounded-md bg-black/80 px-4 py-3 text-sm text-ink">{children}</p>;
}
