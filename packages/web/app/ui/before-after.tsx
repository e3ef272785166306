import { type ReactNode, useState } from "react";
import { joinClasses } from "../lib/join-classes.ts";

type Side = { src: string; label: string };

type Props = {
  /** The alternative text of the comparison. */
  label: string;
  before: Side;
  after: Side;
  widthPx: number;
  heightPx: number;
  /** For both images: `pixelated` shows enlarged pixels without smoothing. */
  imageClassName?: string;
};

/** Two pictures on top of each other, with a divider that mouse, finger and arrow keys move. */
export function BeforeAfter({ label, before, after, widthPx, heightPx, imageClassName }: Props) {
  const [percent, setPercent] = useState(50);
  const image = { width: widthPx, height: heightPx, loading: "lazy", decoding: "async", draggable: false } as const;
  const imageClasses = joinClasses("absolute inset-0 size-full object-cover select-none", imageClassName);
  return (
    <div className="plate relative overflow-hidden rounded-md" style={{ aspectRatio: `${widthPx} / ${heightPx}` }}>
      <img {...image} src={after.src} alt="" className={joinClasses(imageClasses, "checkerboard")} />
      <img
        {...image}
        src={before.src}
        alt=""
        className={imageClasses}
        style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}
      />
      <Tag className="left-2">{before.label}</Tag>
      <Tag className="right-2">{after.label}</Tag>
      <div aria-hidden className="pointer-events-none absolute inset-y-0 w-0" style={{ left: `${percent}%` }}>
        <div className="absolute inset-y-0 -left-px w-0.5 bg-white/90 shadow-card" />
        <div className="absolute top-1/2 -left-4 flex size-8 -translate-y-1/2 items-center justify-center rounded-full bg-white text-black shadow-card">
          <svg
            viewBox="0 0 20 20"
            className="size-4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d="m7 5-5 5 5 5M13 5l5 5-5 5" />
          </svg>
        </div>
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        onChange={(event) => setPercent(Number(event.target.value))}
        aria-label={label}
        aria-valuetext={`${percent}% ${before.label}`}
        className="compare-range peer absolute inset-0 size-full cursor-ew-resize"
      />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-0 rounded-md peer-focus-visible:outline-3 peer-focus-visible:-outline-offset-3 peer-focus-visible:outline-accent"
      />
    </div>
  );
}

function Tag({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={joinClasses(
        "pointer-events-none absolute top-2 rounded-sm bg-black/70 px-2 py-0.5 text-xs font-medium text-white",
        className,
      )}
    >
      {children}
    </span>
  );
}
