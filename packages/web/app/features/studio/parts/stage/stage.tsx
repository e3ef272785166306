import { ImageIcon } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { lazyPart } from "../../../../lib/load-part.ts";
import { framedSides } from "../../state/frame.ts";
import { holdsAlpha, isBusy, type Picture } from "../../state/picture.ts";
import { fillRatio } from "../../state/resized-sides.ts";
import { isRunning, type StudioState } from "../../state/studio-state.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { Comparison } from "../compare/comparison.tsx";
import { isSameShape } from "../compare/fit-box.ts";
import { type Choices, useChoices } from "../edit/use-choices.ts";
import { shownPx, useFramedUrl } from "../frame/framed-url.ts";
import { hasParts, isPreviewed, unaskedPreview } from "../live/wish-of.ts";
import { type Return, StageTools, type StageView } from "./stage-tools.tsx";
import { WorkOverlay } from "./work-overlay.tsx";

const FillArea = lazyPart(() => import("../frame/fill-area.tsx"));
const LivePreview = lazyPart(() => import("../live/live-preview.tsx"));
const FrameEditor = lazyPart(() => import("../frame/frame-editor.tsx"));
const HeldResultView = lazyPart(() => import("../held/held-result.tsx"));
const CutOutEditor = lazyPart(() => import("../edit/cut-out-editor.tsx"));

/** The picture that is looked at, large: as it is, at work, beside its result, or in one of the views that change it. */
export function Stage({ isSeen }: { isSeen: boolean }) {
  const picture = useStudioState(
    ({ pictures, selectedId }) => pictures.find(({ id }) => id === selectedId) ?? pictures[0],
  );
  const tool = useStudioState((state) => state.tool);
  const isWorking = useStudioState(isRunning);
  const [view, setView] = useState<StageView>();
  // The live preview: switched on or off by the person, or as it comes by itself.
  const [wanted, setWanted] = useState<boolean>();
  // Where a part can be moved, that comes first.
  const unasked = useStudioState((state) =>
    picture === undefined || cropRatioOf(state, picture) !== undefined ? "hidden" : unaskedPreview(state, picture),
  );
  // By picture and tool. While an option is typed anew, a preview that was shown stays; one that was refused does not come again.
  const shownFor = `${tool}:${picture?.id}`;
  const [lastShown, setLastShown] = useState<string>();
  if (unasked === "shown" && lastShown !== shownFor) setLastShown(shownFor);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const isUnasked =
    !refused.has(shownFor) && (unasked === "shown" || (unasked === "incomplete" && lastShown === shownFor));
  const returning: Return = useRef(undefined);
  // Here, so that a choice is known when its picture is looked at again.
  const choices = useChoices();
  // A run shows its progress and then its result, whatever was looked at before; results that are here already too.
  const batch = useStudioState(({ run }) => run?.recalledIds);
  const [seen, setSeen] = useState({ isWorking, batch });
  if (seen.isWorking !== isWorking || seen.batch !== batch) {
    setSeen({ isWorking, batch });
    setView(undefined);
    if (wanted) setWanted(undefined);
  }
  if (!picture) return null;
  const close = () => {
    returning.current = view;
    setView(undefined);
  };
  const { outcome, preview, sides } = picture;
  const isLive = (wanted ?? isUnasked) && isSeen && isPreviewed(tool) && hasParts(picture) && !isWorking;
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
    returning.current = "live";
    setWanted(!isLive);
  };
  const refuse = wanted ? undefined : () => setRefused((others) => new Set([...others, shownFor]));
  return <Shown {...{ picture, choices, returning, isLive }} onView={setView} onLive={switchLive} onRefused={refuse} />;
}

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

/** The button that opened the view is gone with it: the focus goes on in here. */
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
  returning: Return;
  /** What becomes of a preview that nobody asked for where the server refuses it. */
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
  const isOnly = useStudioState(({ pictures }) => pictures.length === 1); // then the bar below tells the same
  // Here, so that it is drawn once for all the places that the plain picture is shown at.
  const framedUrl = useFramedUrl(picture, picture.frame, { mostPx: shownPx });
  const { outcome } = picture;
  // Its comparison brings the buttons: those here would go from under the pointer, and a dialog of theirs with them.
  const isDrawingResult = outcome.kind === "done" && outcome.result.preview.kind === "pending";
  const plain = (
    <div className="relative flex flex-1 flex-col">
      <Large picture={picture} framedUrl={framedUrl} />
      {isBusy(picture) && !isOnly && <WorkOverlay picture={picture} />}
      {outcome.kind === "failed" && <Note>{outcome.reason}</Note>}
      {outcome.kind === "unchanged" && <Note>{outcome.reason}</Note>}
    </div>
  );
  return (
    <>
      {/* On a phone the options stand below: the preview's controls fit in, and push nothing down as they come. */}
      <div className="flex flex-1 flex-col max-md:min-h-93">
        {tools.isLive ? (
          <Suspense fallback={plain}>
            <LivePreview key={picture.id} picture={picture} plain={plain} onRefused={onRefused} />
          </Suspense>
        ) : (
          plain
        )}
      </div>
      <div className="border-t border-line px-2 py-1.5 empty:hidden has-[>:empty]:hidden">
        {!isDrawingResult && <StageTools {...{ picture, ...tools }} />}
      </div>
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
      <div className="relative min-h-64 flex-1 p-4">
        <div className="absolute inset-4 flex items-center justify-center">
          <img
            src={framedUrl ?? preview.url}
            alt={name}
            // A broken JPEG is drawn in part: what is missing of it is not transparent.
            className={joinClasses("max-h-full max-w-full object-contain", holdsAlpha(format) && "checkerboard")}
            draggable={false}
          />
        </div>
      </div>
    );
  return (
    <div className="flex min-h-64 flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-sm text-muted">
      <ImageIcon aria-hidden className="size-8" strokeWidth={1.25} />
      {fault ?? (preview.kind === "none" ? "No preview" : file ? "Creating a preview" : "Fetching the image")}
    </div>
  );
}

/** Width to height that a resize crops the picture to; undefined where it crops nothing that could be seen. */
function cropRatioOf({ tool, settings, cursor }: StudioState, { own, sides, frame, outcome }: Picture) {
  if (tool !== "resize" || cursor !== 0 || !sides || outcome.kind === "unchanged") return undefined;
  const ratio = fillRatio(own?.resize ?? settings.resize);
  const framed = framedSides(sides, frame);
  return ratio !== undefined && !isSameShape(framed, { widthPx: ratio, heightPx: 1 }) ? ratio : undefined;
}

function Note({ children }: { children: ReactNode }) {
  return <p className="absolute inset-x-4 bottom-4 rounded-md bg-black/80 px-4 py-3 text-sm text-ink">{children}</p>;
}
