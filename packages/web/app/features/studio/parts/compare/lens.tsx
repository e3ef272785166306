import type { CSSProperties } from "react";
import type { Sides } from "../../state/frame.ts";

/** Diameter, CSS px. */
const lensSize = 240;

/** The mouse position: `x` and `y` as shares of the picture's sides, `left` and `top` on the stage in px. */
export type LensPosition = { x: number; y: number; left: number; top: number };

type Props = {
  position: LensPosition;
  sides: Sides;
  /** CSS px per picture px on the stage. */
  shownScale: number;
  beforeUrl: string | undefined;
  beforeFit: "cover" | "fill";
  afterUrl: string;
};

/** Magnifies one spot to 1:1, or to twice the shown size if that is larger: before in the left half, after in the right. */
export function Lens({ position, sides, shownScale, beforeUrl, beforeFit, afterUrl }: Props) {
  const scale = Math.max(1 / window.devicePixelRatio, 2 * shownScale);
  const [width, height] = [sides.widthPx * scale, sides.heightPx * scale];
  const place: CSSProperties = {
    width,
    height,
    maxWidth: "none",
    position: "absolute",
    left: lensSize / 2 - position.x * width,
    top: lensSize / 2 - position.y * height,
  };
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 overflow-hidden rounded-full bg-plate shadow-[0_0_0_2px_white,0_8px_30px_rgb(0_0_0/50%)]"
      style={{
        width: lensSize,
        height: lensSize,
        left: position.left - lensSize / 2,
        top: position.top - lensSize / 2,
      }}
    >
      {beforeUrl && <img src={beforeUrl} alt="" className="checkerboard" style={{ ...place, objectFit: beforeFit }} />}
      <div
        className="absolute inset-0"
        style={beforeUrl === undefined ? undefined : { clipPath: `inset(0 0 0 ${lensSize / 2}px)` }}
      >
        <img src={afterUrl} alt="" className="checkerboard" style={place} />
      </div>
      {beforeUrl && <div className="absolute inset-y-0 left-1/2 w-px bg-white" />}
    </div>
  );
}
