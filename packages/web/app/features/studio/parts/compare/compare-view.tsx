import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import type { Sides } from "../../state/frame.ts";
import { drawnSize, type Span, visibleSpan, type Zoom } from "./fit-box.ts";
import { Lens, type LensPosition } from "./lens.tsx";
import { useBox } from "./use-box.ts";
import { usePanZoom } from "./use-pan-zoom.ts";

/** Half the width of the grip on the dividing line (plate.css). The range input extends beyond the picture by this, px. */
const gripHalf = 22;

type Props = {
  /** Undefined if the two cannot be overlaid; then only the result is shown. */
  beforeUrl: string | undefined;
  beforeFit: "cover" | "fill";
  afterUrl: string;
  /** The result's sides. */
  sides: Sides;
  alt: string;
  zoom: Zoom;
  /** The wheel, a touchpad's pinch and the keys +, -, 0 and 1 zoom. Without it the zoom is fixed. */
  onZoom?(zoom: Zoom): void;
  hasLens: boolean;
  /** By default the slider. */
  reveal?: Reveal;
};

/** What is visible of two overlaid pictures. */
export type Reveal = "slider" | "before" | "after" | "difference";
/** Brightens differences so that one step in 255 is visible. */
const differenceGain = 8;

/** Before to the left of a line, after to the right. The line is a native range input, for mouse, touch, keyboard and screen readers. */
export function CompareView({ beforeUrl, beforeFit, afterUrl, sides, alt, zoom, hasLens, ...more }: Props) {
  const { reveal = "slider", onZoom } = more;
  const [element, stage] = useBox<HTMLDivElement>();
  const [share, setShare] = useState(0.5);
  const [scroll, setScroll] = useState({ left: 0, top: 0 });
  const [position, setPosition] = useState<LensPosition>();

  const drawn = stage && drawnSize({ sides, stage, zoom, density: window.devicePixelRatio });
  const across = drawn ? visibleSpan(drawn.width, stage.width) : { start: 0, length: 0 };
  const down = drawn ? visibleSpan(drawn.height, stage.height) : { start: 0, length: 0 };
  /** The line's distance from the left edge of the drawn picture, px. */
  const cut = reveal === "slider" ? scroll.left + share * across.length : 0;
  const isPannable = zoom !== "fit";
  const area = useRef<HTMLDivElement>(null);
  const { onKeyDown, ...panning } = usePanZoom({ area, scroller: element }, { sides, stage, drawn, zoom, onZoom });

  function onPointerMove({ clientX, clientY, pointerType, currentTarget }: PointerEvent) {
    if (!hasLens || pointerType !== "mouse" || !drawn) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    const [x, y] = [clientX - left - across.start, clientY - top - down.start];
    const isInside = x >= 0 && y >= 0 && x <= drawn.width && y <= drawn.height;
    setPosition(
      isInside ? { x: x / drawn.width, y: y / drawn.height, left: clientX - left, top: clientY - top } : undefined,
    );
  }

  return (
    <div className="relative min-h-0 flex-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the picture and of the line upon it */}
      <div
        ref={area}
        onKeyDown={onKeyDown}
        className={joinClasses("absolute", isPannable ? "inset-0" : "inset-3")}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPosition(undefined)}
      >
        <section
          ref={element}
          aria-label={alt}
          tabIndex={isPannable || onZoom ? 0 : -1}
          onScroll={({ currentTarget }) => setScroll({ left: currentTarget.scrollLeft, top: currentTarget.scrollTop })}
          {...panning}
          className={joinClasses(
            "absolute inset-0 flex",
            isPannable ? "cursor-grab overflow-auto active:cursor-grabbing" : "overflow-hidden",
          )}
        >
          <div
            className="relative m-auto shrink-0 isolate"
            style={{ ...drawn, ...(reveal === "difference" && { filter: `brightness(${differenceGain})` }) }}
          >
            {beforeUrl && (
              <img
                src={beforeUrl}
                alt={`${alt}, before`}
                draggable={false}
                className="checkerboard absolute inset-0 size-full"
                style={{ objectFit: beforeFit }}
              />
            )}
            <div
              className="checkerboard absolute inset-0"
              style={{
                ...(beforeUrl && { clipPath: `inset(0 0 0 ${cut}px)` }),
                ...(beforeUrl && reveal === "difference" && { mixBlendMode: "difference" }),
                ...(beforeUrl && reveal === "before" && { visibility: "hidden" }),
              }}
            >
              <img src={afterUrl} alt={beforeUrl ? `${alt}, after` : alt} draggable={false} className="size-full" />
            </div>
          </div>
        </section>
        {beforeUrl && reveal !== "slider" && <Tag className="top-3 left-3">{tags[reveal]}</Tag>}
        {beforeUrl && stage && reveal === "slider" && (
          <Divider share={share} onMove={setShare} across={across} down={down} isOnlyGrip={isPannable} />
        )}
        {position && drawn && hasLens && (
          <Lens
            position={position}
            sides={sides}
            shownScale={drawn.width / sides.widthPx}
            {...{ beforeUrl, beforeFit, afterUrl }}
          />
        )}
      </div>
    </div>
  );
}

const tags = { before: "Before", after: "After", difference: `Difference, ${differenceGain} times as bright` };

export function Tag({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={joinClasses(
        "pointer-events-none absolute rounded-sm bg-black/65 px-2 py-0.5 text-xs text-ink",
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Width from which both tags fit inside the picture; a narrower one has them beside it, px. */
const tagsWidth = 160;

type DividerProps = {
  share: number;
  onMove(share: number): void;
  /** The visible part of the picture. */
  across: Span;
  down: Span;
  /** Only the line itself takes the pointer, so that the rest can be scrolled. */
  isOnlyGrip: boolean;
};

function Divider({ share, onMove, across, down, isOnlyGrip }: DividerProps) {
  const percent = Math.round(share * 100);
  const isNarrow = across.length < tagsWidth;
  return (
    <div
      className="pointer-events-none absolute"
      style={{ left: across.start, width: across.length, top: down.start, height: down.length }}
    >
      <Tag className={isNarrow ? "top-3 right-full mr-3" : "top-3 left-3"}>Before</Tag>
      <Tag className={isNarrow ? "top-3 left-full ml-3" : "top-3 right-3"}>After</Tag>
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label="Before and after"
        aria-valuetext={`${percent}% before`}
        onChange={(event) => onMove(Number(event.target.value) / 100)}
        className={joinClasses(
          "peer compare-range absolute inset-y-0 h-full touch-pan-y",
          isOnlyGrip ? "pointer-events-none" : "pointer-events-auto cursor-ew-resize",
        )}
        style={{ left: -gripHalf, width: across.length + 2 * gripHalf }}
      />
      <div
        aria-hidden
        className="absolute inset-y-0 w-px bg-white shadow-[0_0_6px_rgb(0_0_0/60%)] [&>span]:peer-focus-visible:outline-2"
        style={{ left: share * across.length }}
      >
        <span className="absolute top-1/2 left-1/2 flex size-9 -translate-x-1/2 -translate-y-1/2 items-center justify-center rounded-full bg-white text-black outline-offset-2 outline-accent">
          <svg
            viewBox="0 0 16 16"
            className="size-4"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            aria-hidden="true"
          >
            <path d="M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </span>
      </div>
    </div>
  );
}
