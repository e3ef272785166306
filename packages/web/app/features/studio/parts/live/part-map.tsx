import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { arrowStep } from "../../../../lib/arrow-step.ts";

type Props = {
  thumbUrl: string;
  /** Size of the whole result, px. */
  width: number;
  height: number;
  left: number;
  top: number;
  /** Size of the shown part, px. */
  part: { width: number; height: number };
  onMove(place: { left: number; top: number }): void;
};

const mapPx = 104;
/** An arrow key moves the part by this share of its side. */
const step = 0.5;

/** A map of the whole picture. The shown part is moved by dragging or with the arrow keys. */
export function PartMap({ thumbUrl, width, height, left, top, part, onMove }: Props) {
  const map = useRef<HTMLButtonElement>(null);
  const scale = mapPx / Math.max(width, height);
  const move = (x: number, y: number) =>
    onMove({
      left: Math.round(Math.min(Math.max(0, x), width - part.width)),
      top: Math.round(Math.min(Math.max(0, y), height - part.height)),
    });
  const onPointer = ({ clientX, clientY, buttons, pointerId, type }: PointerEvent<HTMLButtonElement>) => {
    if (buttons === 0 || !map.current) return;
    if (type === "pointerdown") map.current.setPointerCapture(pointerId);
    const box = map.current.getBoundingClientRect();
    move((clientX - box.left) / scale - part.width / 2, (clientY - box.top) / scale - part.height / 2);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrowStep(event);
    if (by) move(left + by.x * step * part.width, top + by.y * step * part.height);
  };
  return (
    <button
      ref={map}
      type="button"
      aria-label={`Part shown: from ${left}, ${top}. Move it with the arrow keys.`}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
      className="absolute right-3 bottom-3 z-10 cursor-move touch-none overflow-hidden rounded-sm shadow-[0_0_0_1px_rgb(255_240_220/40%)]"
      style={{ width: width * scale, height: height * scale }}
    >
      <img src={thumbUrl} alt="" draggable={false} className="size-full object-cover" />
      <span
        aria-hidden
        className="absolute border-2 border-white shadow-[0_0_0_200px_rgb(0_0_0/45%)]"
        style={{ left: left * scale, top: top * scale, width: part.width * scale, height: part.height * scale }}
      />
    </button>
  );
}
