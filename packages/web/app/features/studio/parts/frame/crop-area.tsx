import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { arrowStep } from "../../../../lib/arrow-step.ts";
import { joinClasses } from "../../../../lib/join-classes.ts";
import type { CropBox, Frame, Sides } from "../../state/frame.ts";
import { draggedGrip, type Grip, grips, movedBox } from "./resize-box.ts";

type Props = {
  url: string;
  name: string;
  /** The picture's sides before the frame, px. */
  sides: Sides;
  frame: Frame;
  /** The bounds that contain the box, px. */
  bounds: Sides;
  box: CropBox;
  /** CSS px per picture px. */
  scale: number;
  lockedRatio: number | undefined;
  onBox(box: CropBox): void;
};

const gripClasses: Record<Grip, string> = {
  nw: "-top-3 -left-3 cursor-nwse-resize",
  n: "-top-3 left-1/2 -translate-x-1/2 cursor-ns-resize",
  ne: "-top-3 -right-3 cursor-nesw-resize",
  e: "top-1/2 -right-3 -translate-y-1/2 cursor-ew-resize",
  se: "-right-3 -bottom-3 cursor-nwse-resize",
  s: "-bottom-3 left-1/2 -translate-x-1/2 cursor-ns-resize",
  sw: "-bottom-3 -left-3 cursor-nesw-resize",
  w: "top-1/2 -left-3 -translate-y-1/2 cursor-ew-resize",
};

/** The rotated and straightened picture with the crop box, which is moved and resized with the pointer or arrow keys. */
export function CropArea({ url, name, sides, frame, bounds, box, scale, lockedRatio, onBox }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const grip = useRef<{ x: number; y: number; box: CropBox }>(undefined);
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left, top } = (area.current as HTMLDivElement).getBoundingClientRect(); // mounted, since a child got a pointer event
    return { x: (clientX - left) / scale, y: (clientY - top) / scale };
  };
  const take = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { ...at(event), box };
  };
  const release = () => {
    grip.current = undefined;
  };
  const move = (event: PointerEvent) => {
    const { current } = grip;
    if (!current) return;
    const to = at(event);
    onBox(movedBox(current.box, { x: to.x - current.x, y: to.y - current.y }, bounds));
  };
  const drag = (by: Grip) => (event: PointerEvent) => {
    if (!grip.current) return;
    event.stopPropagation();
    onBox(draggedGrip(grip.current.box, { grip: by, ...at(event), ratio: lockedRatio }, bounds));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrowStep(event);
    if (!by) return;
    const step = Math.max(1, Math.round(Math.max(bounds.widthPx, bounds.heightPx) / 100));
    const [x, y] = [by.x * step, by.y * step];
    if (!event.shiftKey) return onBox(movedBox(box, { x, y }, bounds));
    const dragged = {
      grip: "se",
      x: box.left + box.width + x,
      y: box.top + box.height + y,
      ratio: lockedRatio,
    } as const;
    onBox(draggedGrip(box, dragged, bounds));
  };
  const mirror = `scale(${frame.flip === "horizontal" ? -1 : 1}, ${frame.flip === "vertical" ? -1 : 1})`;
  const place = { left: box.left * scale, top: box.top * scale, width: box.width * scale, height: box.height * scale };
  return (
    <div
      ref={area}
      className="relative m-auto shrink-0"
      style={{ width: bounds.widthPx * scale, height: bounds.heightPx * scale }}
    >
      <div className="absolute inset-0 overflow-hidden">
        <img
          src={url}
          alt={name}
          draggable={false}
          className="checkerboard absolute top-1/2 left-1/2 max-w-none"
          style={{
            width: sides.widthPx * scale,
            height: sides.heightPx * scale,
            transform: `translate(-50%, -50%) rotate(${frame.straighten ?? 0}deg) ${mirror} rotate(${frame.degrees ?? 0}deg)`,
          }}
        />
        <div aria-hidden className="absolute shadow-[0_0_0_9999px_rgb(0_0_0/55%)]" style={place} />
      </div>
      <div className="absolute" style={place}>
        <button
          type="button"
          aria-label={`Crop box, ${box.width} by ${box.height} from ${box.left}, ${box.top}. Arrow keys move it, Shift and arrow keys resize it.`}
          onPointerDown={take}
          onPointerMove={move}
          onPointerUp={release}
          onPointerCancel={release}
          onKeyDown={onKeyDown}
          className="crop-thirds absolute inset-0 size-full cursor-move touch-none border border-white"
        />
        {grips.map((one) => (
          <span
            key={one}
            aria-hidden
            data-grip={one}
            onPointerDown={take}
            onPointerMove={drag(one)}
            onPointerUp={release}
            onPointerCancel={release}
            className={joinClasses(
              "absolute flex size-6 touch-none items-center justify-center before:size-3 before:rounded-full before:bg-white before:shadow-[0_0_0_1px_rgb(0_0_0/60%)]",
              gripClasses[one],
            )}
          />
        ))}
      </div>
    </div>
  );
}
