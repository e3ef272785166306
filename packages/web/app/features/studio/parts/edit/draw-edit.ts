import type { EditSettings, Matte } from "../../state/picture.ts";
import { subjectBox } from "./matte.ts";
import type { OpenCutOut } from "./open-cut-out.ts";

/** The visible part of the picture: its top left corner in px of the picture, and canvas px per picture px. */
export type View = { left: number; top: number; scale: number };

/** The server's parameters (docs/cutout.md). Lengths are shares of the longer side. */
const fall = 0.02;
const softness = 0.015;
const maxShadow = 0.75;
const blurShare = (blur: number) => 0.001 + 0.029 * (blur / 100) ** 1.3;

type Scene = {
  open: OpenCutOut;
  viewPixels: ViewPixels;
  matte: Matte;
  edit: EditSettings;
  backdrop: ImageBitmap | undefined;
  view: View;
  /** The original shows through where the cut-out is transparent: what the brush would restore. */
  showsOriginal: boolean;
};

/** Opacity of the original where it shows through. */
const originalOpacity = 0.45;

/** Draws a preview of the edited cut-out at the canvas's resolution. */
export function drawEdit(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  const { matte, edit, view } = scene;
  const longer = Math.max(matte.width, matte.height) * view.scale;
  const subject = drawSubject(scene);
  const crop = edit.isCropped ? subjectBox(matte, edit.margin) : undefined;
  context.clearRect(0, 0, width, height);
  context.save();
  context.beginPath();
  const shown = crop ?? { left: 0, top: 0, width: matte.width, height: matte.height };
  const place = {
    x: (shown.left - view.left) * view.scale,
    y: (shown.top - view.top) * view.scale,
    width: shown.width * view.scale,
    height: shown.height * view.scale,
  };
  context.rect(place.x, place.y, place.width, place.height);
  context.clip();
  drawBehind(context, scene, { place, longer });
  if (scene.showsOriginal && scene.open.original) {
    context.globalAlpha = originalOpacity;
    drawWhole(context, scene.open.original, scene);
    context.globalAlpha = 1;
  }
  if (edit.shadow > 0) {
    context.globalAlpha = (maxShadow * edit.shadow) / 100;
    context.filter = `brightness(0) blur(${softness * longer}px)`;
    context.drawImage(subject, 0, fall * longer);
    context.globalAlpha = 1;
    context.filter = "none";
  }
  context.drawImage(subject, 0, 0);
  context.restore();
  if (!crop) return;
  // Dim the part outside the crop.
  const outside = new Path2D();
  outside.rect(0, 0, width, height);
  outside.rect(place.x, place.y, place.width, place.height);
  context.fillStyle = "rgb(20 17 16 / 78%)";
  context.fill(outside, "evenodd");
  context.strokeStyle = "rgb(255 255 255 / 90%)";
  context.lineWidth = 2;
  context.strokeRect(place.x, place.y, place.width, place.height);
}

type TargetRect = { x: number; y: number; width: number; height: number };

function drawBehind(
  context: CanvasRenderingContext2D,
  { open, edit, backdrop, matte, view }: Scene,
  { place, longer }: { place: TargetRect; longer: number },
): void {
  if (edit.ground === "colour") {
    context.fillStyle = edit.colour;
    context.fillRect(place.x, place.y, place.width, place.height);
  } else if (edit.ground === "picture" && backdrop) {
    const scale = Math.max(place.width / backdrop.width, place.height / backdrop.height);
    const [across, down] = [backdrop.width * scale, backdrop.height * scale];
    context.drawImage(
      backdrop,
      place.x + (place.width - across) / 2,
      place.y + (place.height - down) / 2,
      across,
      down,
    );
  } else if (edit.ground === "blur" && open.original) {
    context.filter = `blur(${Math.max(0.5, blurShare(edit.blur) * longer)}px)`;
    drawWhole(context, open.original, { matte, view });
    context.filter = "none";
  }
}

/** Draws the whole picture, transformed to the view. */
function drawWhole(
  context: CanvasRenderingContext2D,
  image: ImageBitmap,
  { matte, view }: Pick<Scene, "matte" | "view">,
): void {
  const whole = [matte.width * view.scale, matte.height * view.scale] as const;
  context.drawImage(image, -view.left * view.scale, -view.top * view.scale, ...whole);
}

/** The pixels of a view before the matte is applied. They do not change while a stroke is painted. */
export type ViewPixels = { cutOut: ImageData; original: ImageData | undefined };

export function viewPixelsOf(
  { cutOut, original, matte }: OpenCutOut,
  { view, width, height }: { view: View; width: number; height: number },
): ViewPixels {
  const readPixels = (image: ImageBitmap) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("This browser has no canvas.");
    context.imageSmoothingQuality = "high";
    drawWhole(context, image, { matte, view });
    return context.getImageData(0, 0, width, height);
  };
  return { cutOut: readPixels(cutOut), original: original && readPixels(original) };
}

/** The subject with the current matte: the cut-out's decontaminated colours, and the original's colours where alpha was restored. */
function drawSubject({ viewPixels, matte, view }: Scene): HTMLCanvasElement {
  const { width, height } = viewPixels.cutOut;
  const shown = new ImageData(new Uint8ClampedArray(viewPixels.cutOut.data), width, height);
  const { data } = shown;
  const original = (viewPixels.original ?? viewPixels.cutOut).data;
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor(view.top + (y + 0.5) / view.scale);
    for (let x = 0; x < width; x += 1, at += 4) {
      const column = Math.floor(view.left + (x + 0.5) / view.scale);
      const isInside = row >= 0 && row < matte.height && column >= 0 && column < matte.width;
      const after = isInside ? (matte.values[row * matte.width + column] as number) : 0;
      const before = data[at + 3] as number;
      if (after > before)
        for (let k = 0; k < 3; k += 1)
          data[at + k] = (before * (data[at + k] as number) + (after - before) * (original[at + k] as number)) / after;
      data[at + 3] = after;
    }
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d")?.putImageData(shown, 0, 0);
  return canvas;
}
