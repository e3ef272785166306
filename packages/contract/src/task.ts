import { type InputFormat, inputFormats } from "./format.ts";

// Apart from operation.ts so that the web app takes these facts without the validation library.

/** The five operations that cost a credit a file. */
export const operationNames = ["compress", "resize", "upscale", "remove-background", "convert"] as const;
export type OperationName = (typeof operationNames)[number];

/** What goes over the same path as an operation and costs nothing. */
export const freeTaskNames = ["upload", "preview"] as const;
export type TaskName = OperationName | (typeof freeTaskNames)[number];
export const taskNames = [...operationNames, ...freeTaskNames] as const;

/** Longest side of a resized picture, px. */
export const maxSidePx = 16_384;
export const resizeMethods = ["fit", "fill", "stretch"] as const;
export const scaleFactors = [2, 4, 8] as const;
export const upscaleModels = ["auto", "clean", "compressed"] as const;
export const backgroundProfiles = ["auto_rembg", "product_pro", "portrait_pro"] as const;
/** Shown in the studio as coming soon; the API answers 422 for it. */
export const manualProfile = "sam_manual";

type TaskFacts = {
  /** As shown on the studio's tabs. */
  label: string;
  creditsPerFile: 0 | 1;
  /** Formats it takes. */
  takes: readonly InputFormat[];
  /** Whether a moving picture is worked on whole, by its first frame, or refused. */
  animation: "kept" | "first-frame" | "refused";
  /** The longest that one file may take before its engine process is ended, ms. */
  timeLimitMs: number;
};

const all = inputFormats;
export const tasks = {
  compress: { label: "Compress", creditsPerFile: 1, takes: all, animation: "kept", timeLimitMs: 180_000 },
  resize: { label: "Resize", creditsPerFile: 1, takes: all, animation: "kept", timeLimitMs: 180_000 },
  upscale: { label: "Upscale", creditsPerFile: 1, takes: all, animation: "refused", timeLimitMs: 600_000 },
  "remove-background": {
    label: "Remove BG",
    creditsPerFile: 1,
    takes: all,
    animation: "refused",
    timeLimitMs: 180_000,
  },
  convert: { label: "Convert", creditsPerFile: 1, takes: all, animation: "kept", timeLimitMs: 180_000 },
  upload: { label: "Upload", creditsPerFile: 0, takes: all, animation: "kept", timeLimitMs: 10_000 },
  preview: { label: "Preview", creditsPerFile: 0, takes: all, animation: "first-frame", timeLimitMs: 10_000 },
} as const satisfies Record<TaskName, TaskFacts>;

/** Nothing but the time it takes tells for sure how dear an SVG is to draw. */
const drawingLimitMs = 10_000;

type TimeLimits = {
  /** The longest that the file may take, ms. */
  timeLimitMs: number;
  /** The longest until the engine tells its first progress, ms. */
  firstProgressLimitMs?: number;
};

/**
 * The time that a task may take for a file of this format. Upscaling and removing a background go on once an SVG is drawn,
 * and tell their progress from then on; all else that is done to an SVG is drawing it.
 */
export function timeLimitsOf(task: TaskName, format: InputFormat | undefined): TimeLimits {
  const { timeLimitMs } = tasks[task];
  if (format !== "svg") return { timeLimitMs };
  if (task === "upscale" || task === "remove-background") return { timeLimitMs, firstProgressLimitMs: drawingLimitMs };
  return { timeLimitMs: Math.min(timeLimitMs, drawingLimitMs) };
}
