import type { CSSProperties } from "react";
import type { Sides } from "../../state/frame.ts";

/** Diameter, px on the page. */
const lensSize = 240;

/** The place of the mouse: on the picture as shares of its sides, and on the stage in px. */
export type LensSpot = { x: number; y: number; left: number; top: number };

type Props = {
  spot: LensSpot;
  sides: Sides;
  /** Page px a picture px, as the stage draws it. */
  shownScale: number;
  beforeUrl: string | undefined;
  beforeFit: "cover" | "fill";
  afterUrl: string;
};

/** One spot at 1:1 (twice as large as shown, where that is 1:1 already): before in the left half, after in the right. */
export function Lens({ spot, sides, shownScale, beforeUrl, beforeFit, afterUrl }: Props) {
  const scale = Math.max(1 / window.devicePixelRatio, 2 * shownScale);
  const [width, height] = [sides.widthPx * scale, sides.heightPx * scale];
  const place: CSSProperties = {
    width,
    height,
    maxWidth: "none",
    position: "absolute",
    left: lensSize / 2 - spot.x * width,
    top: lensSize / 2 - spot.y * height,
  };
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 overflow-hidden rounded-full bg-plate shadow-[0_0_0_2px_white,0_8px_30px_rgb(0_0_0/50%)]"
      style={{ width: lensSize, height: lensSize, left: spot.left - lensSize / 2, top: spot.top - lensSize / 2 }}
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
