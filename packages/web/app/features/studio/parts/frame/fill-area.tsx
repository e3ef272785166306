import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { arrowStep } from "../../../../lib/arrow-step.ts";
import { Button } from "../../../../ui/button.tsx";
import { cropBoxOf, fillBoxOf, turnedSides } from "../../state/frame.ts";
import { isBusy, type Picture } from "../../state/picture.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { useBox } from "../compare/use-box.ts";

type Props = {
  picture: Picture & { sides: NonNullable<Picture["sides"]> };
  /** URL of the picture after its rotation and crop. */
  url: string;
  /** Width divided by height of the target size. */
  ratio: number;
};

const middle = { x: 0.5, y: 0.5 };
const share = (value: number) => Math.min(1, Math.max(0, value));

/** The picture with the part that a `fill` resize crops shaded. The kept part is moved with the pointer or arrow keys. For `lazy`. */
export default function FillArea({ picture, url, ratio }: Props) {
  const studio = useStudio();
  const isMany = useStudioState(({ pictures }) => pictures.length > 1);
  const [area, room] = useBox<HTMLDivElement>();
  const from = useRef<{ pageX: number; pageY: number; at: typeof middle }>(undefined);
  const { id, name, sides, frame = {} } = picture;
  const turned = turnedSides(sides, frame);
  const whole = cropBoxOf(turned, frame);
  const fillBox = fillBoxOf(turned, frame, ratio);
  const margin = { x: whole.width - fillBox.width, y: whole.height - fillBox.height };
  const at = frame.fillAt ?? middle;
  const scale = room ? Math.min(1, room.width / whole.width, room.height / whole.height) : 0;
  const isLocked = isBusy(picture);

  const moveTo = (x: number, y: number) =>
    studio.dispatch({ type: "frame-changed", id, frame: { ...frame, fillAt: { x: share(x), y: share(y) } } });
  const moveBy = (origin: typeof middle, by: { x: number; y: number }) =>
    moveTo(origin.x + (margin.x && by.x / margin.x), origin.y + (margin.y && by.y / margin.y));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { pageX: event.pageX, pageY: event.pageY, at };
  };
  const onPointerMove = ({ pageX, pageY }: PointerEvent) => {
    const { current } = from;
    if (current) moveBy(current.at, { x: (pageX - current.pageX) / scale, y: (pageY - current.pageY) / scale });
  };
  const release = () => {
    from.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrowStep(event);
    if (!by) return;
    const step = Math.max(1, Math.round(Math.max(whole.width, whole.height) / 100));
    moveBy(at, { x: by.x * step, y: by.y * step });
  };
  const left = (fillBox.left - whole.left) * scale;
  const top = (fillBox.top - whole.top) * scale;
  return (
    <div className="flex min-h-64 flex-1 flex-col">
      <div className="relative min-h-56 flex-1">
        <div ref={area} className="absolute inset-4 flex">
          {scale > 0 && (
            <div
              className="relative m-auto shrink-0 overflow-hidden"
              style={{ width: whole.width * scale, height: whole.height * scale }}
            >
              <img src={url} alt={name} draggable={false} className="checkerboard size-full" />
              <button
                type="button"
                disabled={isLocked}
                aria-label={`Part that stays, ${fillBox.width} by ${fillBox.height} from ${fillBox.left}, ${fillBox.top}. Arrow keys move it.`}
                {...{ onPointerDown, onPointerMove, onKeyDown }}
                onPointerUp={release}
                onPointerCancel={release}
                className="absolute cursor-move touch-none border border-white shadow-[0_0_0_9999px_rgb(0_0_0/55%)] -outline-offset-4"
                style={{ left, top, width: fillBox.width * scale, height: fillBox.height * scale }}
              />
            </div>
          )}
        </div>
      </div>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2 text-sm text-muted">
        <p>The shaded edges are cropped. Drag the bright part to choose what stays.</p>
        {frame.fillAt && !isLocked && (
          <span className="ml-auto flex gap-1">
            <Button kind="quiet" size="sm" onClick={() => moveTo(0.5, 0.5)}>
              Center
            </Button>
            {isMany && (
              <Button kind="quiet" size="sm" onClick={() => studio.dispatch({ type: "frame-copied", id })}>
                Apply to all
              </Button>
            )}
          </span>
        )}
      </div>
    </div>
  );
}
