import type { WrittenStep } from "@tintype/contract";
import { ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import type { StudioParts } from "./studio-parts.ts";

/** The shown part's place, and the whole result as the server estimates it. */
export type Look = {
  part: Blob;
  /** The part is all of the result, reduced. */
  isWhole: boolean;
  left: number;
  top: number;
  width: number;
  height: number;
  sizeBytes: number;
  /** For a wanted size: the quality that leads to it. */
  quality: number | undefined;
};

/** Longer side of a whole result as it is shown; the server's most. px */
const wholeSidePx = 1024;

/** `isWhole`: all of the result, reduced; otherwise the part at `left` and `top`, or in the middle. */
export type Wish = {
  operation: string;
  options: Record<string, string>;
  /** What comes before it: the picture's turn and crop. */
  steps?: readonly WrittenStep[];
  left?: number;
  top?: number;
  isWhole?: boolean;
};

export type Looks = {
  /**
   * A part of the picture as an operation would make it. The picture is sent with the first look and kept by the server for
   * minutes; where it has gone there, it is sent once more. An upload that no look waits for any more is given up after a moment.
   * After a 429 or 503 nothing is asked until the server takes more, or the caller has signed in or out.
   * @throws ApiProblem, ConnectionLost
   */
  look(file: File, wish: Wish, signal: AbortSignal): Promise<Look>;
};

/** The next look at a picture, which comes when a setting rests, waits for the same upload. ms */
const uploadOutlivesMs = 2000;
/** Where the server does not say how long, s. */
const usualPauseSeconds = 30;

type Upload = {
  job: Promise<string>;
  abort: AbortController;
  waiting: number;
  timer?: ReturnType<typeof setTimeout>;
};

export function createLooks({ api, store }: Pick<StudioParts, "api" | "store">): Looks {
  const uploads = new WeakMap<File, Upload>();
  let pause: { caller: string | undefined; untilMs: number; problem: ApiProblem } | undefined;

  const upload = (file: File): Upload => {
    const form = new FormData();
    form.append("keep", "true");
    form.append("side", "16");
    form.append("files", file, file.name);
    const abort = new AbortController();
    const job = api.open("POST /preview", { form, signal: abort.signal }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.headers.get("x-job") ?? "";
    });
    const begun: Upload = { job, abort, waiting: 0 };
    uploads.set(file, begun);
    job.catch(() => uploads.get(file) === begun && uploads.delete(file));
    return begun;
  };

  /** The job that keeps the picture. */
  const send = async (file: File, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted(); // its event has passed: nothing would give the upload up
    const sending = uploads.get(file) ?? upload(file);
    sending.waiting += 1;
    clearTimeout(sending.timer);
    const leave = () => {
      sending.waiting -= 1;
      if (sending.waiting === 0) sending.timer = setTimeout(() => sending.abort.abort(), uploadOutlivesMs);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await sending.job;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };

  const ask = async (of: string, wish: Wish, signal: AbortSignal): Promise<Look> => {
    const { operation, options, steps, left, top, isWhole = false } = wish;
    const form = new FormData();
    form.append("of", of);
    form.append("operation", operation);
    form.append("options", JSON.stringify(options));
    if (steps) form.append("steps", JSON.stringify(steps));
    if (left !== undefined) form.append("left", String(Math.max(0, Math.round(left))));
    if (top !== undefined) form.append("top", String(Math.max(0, Math.round(top))));
    if (isWhole) {
      form.append("whole", "true");
      form.append("side", String(wholeSidePx));
    }
    const answer = await api.open("POST /preview", { form, signal });
    const { size_bytes: sizeBytes, quality, ...rest } = JSON.parse(answer.headers.get("x-preview") ?? "{}"); // the server's own
    const part = await answer.blob().catch((problem: unknown) => {
      throw new ConnectionLost(problem);
    });
    return { ...rest, part, isWhole, sizeBytes, quality };
  };

  const lookAt = async (file: File, wish: Wish, signal: AbortSignal): Promise<Look> => {
    try {
      return await ask(await send(file, signal), wish, signal);
    } catch (problem) {
      signal.throwIfAborted();
      const isGone = problem instanceof ApiProblem && (problem.status === 404 || problem.status === 410);
      if (!isGone) throw problem;
      uploads.delete(file);
      return ask(await send(file, signal), wish, signal);
    }
  };

  return {
    async look(file, wish, signal) {
      const caller = store.read().caller?.id;
      const restMs = pause?.caller === caller ? (pause?.untilMs ?? 0) - Date.now() : 0;
      if (pause && restMs > 0) throw new ApiProblem({ ...pause.problem, retryAfterSeconds: Math.ceil(restMs / 1000) });
      try {
        return await lookAt(file, wish, signal);
      } catch (problem) {
        if (problem instanceof ApiProblem && isPausing(problem))
          pause = { caller, untilMs: Date.now() + pauseSeconds(problem) * 1000, problem };
        throw problem;
      }
    },
  };
}

const isPausing = ({ status }: ApiProblem) => status === 429 || status === 503;
const pauseSeconds = ({ retryAfterSeconds = usualPauseSeconds }: ApiProblem) => retryAfterSeconds;

/** Seconds for which the server takes no previews; undefined where another try may succeed at once. */
export const pauseAfter = (problem: unknown): number | undefined =>
  problem instanceof ApiProblem && isPausing(problem) ? pauseSeconds(problem) : undefined;

/** Whether the server has refused it for good: the same look again is refused again. A kept picture that has gone is sent once more. */
export const isRefusal = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.status < 500 && ![404, 409, 410, 429].includes(problem.status);

/** The sentence for a look that failed. */
export const whyNoLook = (problem: unknown): string =>
  navigator.onLine === false && problem instanceof ConnectionLost
    ? "You are offline. The preview returns when you are back online."
    : pauseAfter(problem) === undefined
      ? sentenceOf(problem)
      : `The preview is paused. ${sentenceOf(problem)}`;
