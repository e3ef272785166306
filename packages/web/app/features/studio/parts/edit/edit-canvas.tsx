import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { arrowStep } from "../../../../lib/arrow-step.ts";
import type { EditSettings } from "../../state/picture.ts";
import { useBox } from "../compare/use-box.ts";
import { useWheelZoom } from "../compare/use-wheel-zoom.ts";
import { maxZoom } from "./brush-tools.tsx";
import { drawEdit, type View, type ViewPixels, viewPixelsOf } from "./draw-edit.ts";
import type { Brush } from "./matte.ts";
import type { OpenCutOut } from "./open-cut-out.ts";
import type { Point } from "./smart-stroke.ts";
import type { Strokes } from "./use-strokes.ts";

type Props = {
  open: OpenCutOut;
  edit: EditSettings;
  backdrop: ImageBitmap | undefined;
  /** If undefined, the pointer pans. */
  brush: Brush | undefined;
  strokes: Strokes;
  /** 1 shows the whole picture. */
  zoom: number;
  onZoom(zoom: number): void;
  /** Incremented with each change of the matte. */
  version: number;
  name: string;
};

/** Previews the edited cut-out and paints on it with a mouse, a finger, a pen or the keyboard. */
export function EditCanvas({ open, edit, backdrop, brush, strokes, zoom, onZoom, version, name }: Props) {
  const [area, box] = useBox<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { matte } = open;
  const [centre, setCentre] = useState<Point>({ x: matte.width / 2, y: matte.height / 2 });
  const [cursor, setCursor] = useState<Point>();
  const last = useRef<{ x: number; y: number }>(undefined);
  const fingers = useRef(new Map<number, ClientPoint>());
  /** The start of a pinch: the zoom, the distance between the fingers, px, and the spot midway between them. */
  const pinch = useRef<{ zoom: number; distance: number; point: Point }>(undefined);
  /** The line that held arrow keys paint: the keys and the line's end. */
  const line = useRef<{ keys: Set<string>; end: Point }>(undefined);
  const viewPixels = useRef<{ key: string; open: OpenCutOut; seen: ViewPixels }>(undefined);

  const showsOriginal = brush?.kind === "restore";
  const scale = box ? Math.min(box.width / matte.width, box.height / matte.height) * zoom : 0;
  const view: View = box
    ? {
        left: clampedLeft(centre.x, box.width / scale, matte.width),
        top: clampedLeft(centre.y, box.height / scale, matte.height),
        scale,
      }
    : { left: 0, top: 0, scale: 0 };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the matte's values
  useEffect(() => {
    const { current } = canvas;
    if (!current || !box || scale === 0) return;
    const frame = requestAnimationFrame(() => {
      [current.width, current.height] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
      const size = { width: current.width, height: current.height };
      const key = JSON.stringify([view, size]);
      if (viewPixels.current?.key !== key || viewPixels.current.open !== open)
        viewPixels.current = { key, open, seen: viewPixelsOf(open, { view, ...size }) };
      drawEdit(current, { open, matte, edit, backdrop, view, showsOriginal, viewPixels: viewPixels.current.seen });
    });
    return () => cancelAnimationFrame(frame);
  }, [open, edit, backdrop, showsOriginal, version, box?.width, box?.height, view.left, view.top, scale]);

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = (canvas.current as HTMLCanvasElement).getBoundingClientRect(); // mounted, since it got a pointer event
    return { x: view.left + (clientX - left) / scale, y: view.top + (clientY - top) / scale };
  };
  /** Zooms so that the spot lies under the pointer. */
  const zoomTo = (nextZoom: number, point: Point, { clientX, clientY }: ClientPoint) => {
    const { current } = canvas;
    const next = Math.min(maxZoom, Math.max(1, nextZoom));
    if (!current || scale === 0) return;
    const { left, top, width, height } = current.getBoundingClientRect();
    const nextScale = (scale / zoom) * next;
    setCentre({
      x: point.x + (left + width / 2 - clientX) / nextScale,
      y: point.y + (top + height / 2 - clientY) / nextScale,
    });
    onZoom(next);
  };
  useWheelZoom(area, { zoom, maxZoom, onZoom: (nextZoom, event) => zoomTo(nextZoom, pointOf(event), event) });

  /** Scales the brush by a pen's pressure; a mouse and a finger have none. */
  const withPressure = (one: Brush, { pointerType, pressure }: { pointerType: string; pressure: number }): Brush =>
    pointerType === "pen" && pressure > 0 ? { ...one, sizePx: one.sizePx * (0.3 + 0.7 * pressure) } : one;

  function onPointerDown(event: PointerEvent<HTMLCanvasElement>) {
    endLine();
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    if (fingers.current.size > 1) {
      // A second finger starts a pinch, so drop the first finger's stroke.
      strokes.drop();
      last.current = undefined;
      const { middle, distance } = pinchOf(fingers.current);
      pinch.current = { zoom, distance, point: pointOf(middle) };
      return;
    }
    last.current = { x: event.clientX, y: event.clientY };
    if (brush) strokes.begin(pointOf(event), withPressure(brush, event));
  }
  function onPointerMove(event: PointerEvent<HTMLCanvasElement>) {
    if (fingers.current.has(event.pointerId))
      fingers.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    if (pinch.current && fingers.current.size > 1) {
      const { middle, distance } = pinchOf(fingers.current);
      zoomTo((pinch.current.zoom * distance) / pinch.current.distance, pinch.current.point, middle);
      return;
    }
    if (brush) setCursor(pointOf(event));
    if (event.buttons === 0 || !last.current) return;
    if (brush) {
      const moves = event.nativeEvent.getCoalescedEvents?.() ?? [];
      for (const move of moves.length > 0 ? moves : [event.nativeEvent])
        strokes.extend(pointOf(move), withPressure(brush, event));
    } else
      setCentre({
        x: view.left + sizeOf(box).width / scale / 2 - (event.clientX - last.current.x) / scale,
        y: view.top + sizeOf(box).height / scale / 2 - (event.clientY - last.current.y) / scale,
      });
    last.current = { x: event.clientX, y: event.clientY };
  }
  function onPointerUp({ pointerId }: PointerEvent) {
    fingers.current.delete(pointerId);
    pinch.current = undefined;
    last.current = undefined;
    if (brush) strokes.end();
  }
  function endLine() {
    if (!line.current) return;
    line.current = undefined;
    strokes.end();
  }
  function onKeyUp({ key }: KeyboardEvent) {
    line.current?.keys.delete(key);
    if (key === "Shift" || line.current?.keys.size === 0) endLine();
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = arrowStep(event);
    // The mouse may move meanwhile, so the line continues from its own end.
    const from = line.current?.end ?? cursor ?? centre;
    if (by) {
      const stepPx = brush ? brush.sizePx / 2 : 0.1 * (sizeOf(box).width / scale);
      const to = {
        x: Math.min(matte.width, Math.max(0, from.x + by.x * stepPx)),
        y: Math.min(matte.height, Math.max(0, from.y + by.y * stepPx)),
      };
      if (brush && event.shiftKey) {
        if (last.current) return; // the pointer is painting
        // A held key repeats. All repeats until its release form one stroke.
        if (!line.current) strokes.begin(from, brush);
        line.current = { keys: (line.current?.keys ?? new Set()).add(event.key), end: to };
        strokes.extend(to, brush);
      }
      if (brush) setCursor(to);
      if (!brush || !isInView(to, view, sizeOf(box))) setCentre(to);
    } else if (brush && (event.key === " " || event.key === "Enter")) {
      event.preventDefault();
      endLine();
      setCursor(from);
      strokes.begin(from, brush);
      strokes.end();
    }
  }

  return (
    <div ref={area} className="relative min-h-0 flex-1">
      <div
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard pans and paints
        tabIndex={0}
        aria-label={`${name}. ${brush ? brushKeys : "Arrow keys pan."}`}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onBlur={endLine}
        className="absolute inset-0 overflow-hidden rounded-sm"
      >
        <div
          aria-hidden
          className="checkerboard absolute"
          style={{
            left: -view.left * scale,
            top: -view.top * scale,
            width: matte.width * scale,
            height: matte.height * scale,
          }}
        />
        <canvas
          ref={canvas}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
          onPointerLeave={() => last.current === undefined && setCursor(undefined)}
          className={`absolute inset-0 size-full touch-none ${brush ? "cursor-none" : "cursor-grab"}`}
        />
        {brush && cursor && (
          <span
            aria-hidden
            className="pointer-events-none absolute rounded-full border border-white shadow-[0_0_0_1px_black]"
            style={{
              width: brush.sizePx * scale,
              height: brush.sizePx * scale,
              left: (cursor.x - view.left - brush.sizePx / 2) * scale,
              top: (cursor.y - view.top - brush.sizePx / 2) * scale,
            }}
          />
        )}
      </div>
    </div>
  );
}

type ClientPoint = { clientX: number; clientY: number };

/** Midpoint and distance of the first two fingers. */
function pinchOf(fingers: ReadonlyMap<number, ClientPoint>): { middle: ClientPoint; distance: number } {
  const [one, other] = [...fingers.values()];
  if (!one || !other) return { middle: { clientX: 0, clientY: 0 }, distance: 1 };
  const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
  return { middle, distance: Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)) };
}

const brushKeys = "Arrow keys move the brush, Space paints a spot, Shift and arrow keys paint a line.";
const sizeOf = (box: { width: number; height: number } | undefined) => box ?? { width: 1, height: 1 };

/** The view's start along one axis, clamped to the picture. A view larger than the picture centres it. */
const clampedLeft = (centre: number, shown: number, whole: number): number =>
  shown >= whole ? (whole - shown) / 2 : Math.min(whole - shown, Math.max(0, centre - shown / 2));

const isInView = ({ x, y }: Point, { left, top, scale }: View, { width, height }: { width: number; height: number }) =>
  x >= left && y >= top && x <= left + width / scale && y <= top + height / scale;
