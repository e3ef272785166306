import { cropRatios } from "@tintype/contract";
import { FlipHorizontal2, FlipVertical2, RotateCcw, RotateCw } from "lucide-react";
import { type ComponentType, useLayoutEffect, useRef, useState } from "react";
import { isPrivate } from "../../../../lib/brand.ts";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { countOf, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import {
  boundsOf,
  type CropBox,
  copyFrame,
  cropBoxOf,
  type Frame,
  hasFrame,
  moveBox,
  ratioOf,
  type Sides,
  straightenTo,
  turnedSides,
} from "../../state/frame.ts";
import type { Picture } from "../../state/picture.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { useBox } from "../compare/use-box.ts";
import { useWheelZoom } from "../compare/use-wheel-zoom.ts";
import { Toggle } from "../compare/zoom-choice.tsx";
import { InInspector } from "../inspector.tsx";
import { CropArea } from "./crop-area.tsx";
import { CropNumbers } from "./crop-numbers.tsx";
import { StraightenField } from "./straighten-field.tsx";

const maxZoom = 8;

type Props = { picture: Picture; url: string; sides: Sides; onClose(): void };

/** Rotates, mirrors, straightens and crops a picture before any tool; a button copies this to the others. Default export for `lazy`. */
export default function FrameEditor({ picture, url, sides, onClose }: Props) {
  const studio = useStudio();
  const frame = picture.frame ?? {};
  const isMany = useStudioState(({ pictures }) => pictures.length > 1);
  const [ratio, setRatio] = useState(frame.crop && "ratio" in frame.crop ? frame.crop.ratio : "");
  const [area, stage] = useBox<HTMLDivElement>();
  const turned = turnedSides(sides, frame);
  const bounds = boundsOf(turned, frame);
  const box = cropBoxOf(turned, frame);
  /** The box as the user made it, so that a smaller angle restores what a larger one cut off. */
  const userCrop = useRef<{ box: CropBox; bounds: Sides }>(undefined);

  const [copied, setCopied] = useState<string>();
  const set = ({ fillAt: _, ...next }: Frame) => {
    setCopied(undefined);
    studio.dispatch({ type: "frame-changed", id: picture.id, frame: hasFrame(next) ? next : undefined });
  };
  const turnBy = (quarter: 1 | 3) => {
    const degrees = (((frame.degrees ?? 0) + 90 * quarter) % 360) as 0 | 90 | 180 | 270; // multiples of 90 below 360
    // A crop box is meaningless after a rotation; a ratio still applies.
    const { degrees: _, crop, ...rest } = frame;
    const ratioCrop = crop && "ratio" in crop ? { crop } : {};
    userCrop.current = undefined;
    set({ ...rest, ...ratioCrop, ...(degrees === 0 ? {} : { degrees }) });
  };
  /** Mirrors the angle with the picture, so that level stays level. The box keeps its position on the page. */
  const mirrored = (): Frame => {
    const degrees = -(frame.straighten ?? 0);
    return degrees === 0 ? frame : straightenTo(frame, { degrees, turned, userCrop: currentUserCrop() });
  };
  const currentUserCrop = () =>
    userCrop.current ?? (frame.crop && !("ratio" in frame.crop) ? { box: frame.crop, bounds } : undefined);
  const straighten = (degrees: number) => {
    userCrop.current = currentUserCrop();
    set(straightenTo(frame, { degrees, turned, userCrop: userCrop.current }));
  };
  const flip = (direction: "horizontal" | "vertical") => {
    const { flip: now, ...rest } = mirrored();
    if (now === undefined) return set({ ...rest, flip: direction });
    if (now === direction) return set(rest);
    // Mirroring both ways is a rotation by 180 degrees.
    const degrees = (((frame.degrees ?? 0) + 180) % 360) as 0 | 90 | 180 | 270; // as above
    const { degrees: _, ...left } = rest;
    return set({ ...left, ...(degrees === 0 ? {} : { degrees }) });
  };
  const chooseRatio = (chosen: string) => {
    setRatio(chosen);
    userCrop.current = undefined;
    const { crop: _, ...rest } = frame;
    if (chosen === "") return set(rest);
    set({ ...rest, crop: { ratio: chosen } });
  };
  const setBox = (target: CropBox) => {
    const crop = moveBox(box, target, { turned, frame, isRatioLocked: ratio !== "" });
    userCrop.current = { box: crop, bounds };
    set({ ...frame, crop });
  };

  const copyToAll = () => {
    const others = studio.read().pictures.filter(({ id }) => id !== picture.id);
    studio.dispatch({ type: "frame-copied", id: picture.id });
    setCopied(
      copiedSentence(
        others.filter((other) => !fits(frame, { from: sides, to: other.sides })),
        others.length,
      ),
    );
  };

  const fitted = stage ? Math.min(1, stage.width / bounds.widthPx, stage.height / bounds.heightPx) : 0;
  const [zoom, setZoom] = useState(1);
  const scale = fitted * zoom;
  /** The spot under the pointer while zooming, in shares of the picture, and its position on the stage, px. */
  const zoomAnchor = useRef<{ across: number; down: number; x: number; y: number }>(undefined);
  useWheelZoom(area, {
    zoom,
    maxZoom,
    onZoom(nextZoom, { clientX, clientY }) {
      const { current } = area;
      if (!current) return;
      const { left, top } = current.getBoundingClientRect();
      const [x, y] = [clientX - left, clientY - top];
      const startOf = (room: number, size: number, scrolled: number) => Math.max(0, (room - size) / 2) - scrolled;
      const [width, height] = [bounds.widthPx * scale, bounds.heightPx * scale];
      zoomAnchor.current = {
        across: (x - startOf(current.clientWidth, width, current.scrollLeft)) / width,
        down: (y - startOf(current.clientHeight, height, current.scrollTop)) / height,
        x,
        y,
      };
      setZoom(Math.min(maxZoom, Math.max(1, nextZoom)));
    },
  });
  useLayoutEffect(() => {
    if (!zoomAnchor.current) return;
    const { across, down, x, y } = zoomAnchor.current;
    area.current?.scrollTo(across * bounds.widthPx * scale - x, down * bounds.heightPx * scale - y);
  }, [area, scale, bounds.widthPx, bounds.heightPx]);
  const lockedRatio = ratio === "" ? undefined : ratioOf(ratio);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative min-h-0 flex-1">
        <div
          ref={area}
          onPointerDown={() => {
            zoomAnchor.current = undefined;
          }}
          className={joinClasses("absolute inset-5 flex", zoom > 1 ? "overflow-scroll" : "overflow-visible")}
        >
          {scale > 0 && (
            <CropArea {...{ url, sides, frame, bounds, box, scale, lockedRatio }} name={picture.name} onBox={setBox} />
          )}
        </div>
      </div>
      <InInspector isExclusive>
        <div className="flex flex-col gap-5 p-4 sm:p-6 md:p-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <div className="flex gap-1">
              <Tool label="Rotate left" icon={RotateCcw} onClick={() => turnBy(3)} />
              <Tool label="Rotate right" icon={RotateCw} onClick={() => turnBy(1)} />
              <Tool label="Flip horizontally" icon={FlipHorizontal2} onClick={() => flip("horizontal")} />
              <Tool label="Flip vertically" icon={FlipVertical2} onClick={() => flip("vertical")} />
            </div>
            <fieldset className="flex flex-wrap items-center gap-1">
              <legend className="sr-only">Crop to</legend>
              {["", ...cropRatios].map((one) => (
                <Toggle key={one} isOn={ratio === one} onClick={() => chooseRatio(one)}>
                  {one === "" ? "Free" : one}
                </Toggle>
              ))}
            </fieldset>
          </div>
          <StraightenField value={frame.straighten ?? 0} onChange={straighten} />
          <CropNumbers box={box} within={bounds} onBox={setBox} />
          <div className="inspector-foot flex flex-wrap items-center gap-2">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
            {isMany && (
              <Button kind="quiet" size="sm" onClick={copyToAll}>
                Apply to all
              </Button>
            )}
            <Button
              kind="quiet"
              size="sm"
              disabled={!hasFrame(frame)}
              onClick={() => {
                setRatio("");
                userCrop.current = undefined;
                set({});
              }}
            >
              Reset
            </Button>
            <p role="status" className="ml-auto text-sm text-muted">
              {copied ?? `${formatSides(box.width, box.height)}${isPrivate ? "" : " · no extra credit"}`}
            </p>
          </div>
        </div>
      </InInspector>
    </div>
  );
}

/** Whether a frame can be copied to another picture with its crop at the same relative position. */
const fits = (frame: Frame, { from, to }: { from: Sides; to: Sides | undefined }) =>
  to ? !copyFrame(frame, { from, to }).isMoved : !frame.crop || "ratio" in frame.crop;

function copiedSentence(misplaced: readonly Picture[], count: number): string {
  const [first, ...more] = misplaced;
  const done = `Applied to ${countOf(count, "other image")}.`;
  if (!first) return done;
  const which = more.length === 0 ? first.name : `${first.name} and ${countOf(more.length, "more image")}`;
  return `${done} Please check ${which}: the crop did not fit in the same place.`;
}

function Tool({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="inline-flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  );
}
