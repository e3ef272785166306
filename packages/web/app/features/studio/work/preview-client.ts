import type { WrittenStep } from "@tintype/contract";
import { ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import type { CropBox } from "../state/frame.ts";
import { blobOf } from "./fetch-result.ts";
import type { StudioParts } from "./studio-parts.ts";

/** A rendered part and its position, with the server's estimate of the whole result. */
export type PreviewResult = CropBox & {
  part: Blob;
  /** The part's size, px: at most half of the picture, so it may be smaller than requested. */
  shown: { width: number; height: number };
  /** The part is the whole result, scaled down. */
  isWhole: boolean;
  sizeBytes: number;
  /** For a target size in bytes: the quality that meets it. */
  quality: number | undefined;
};

/** Longer side of a whole result in a preview, which is also the server's limit, px. */
export const wholeSidePx = 1024;

/** `isWhole`: the whole result, scaled down to `sidePx`; otherwise the part at `left` and `top`, by default the centre. */
export type PreviewRequest = {
  operation: string;
  options: Record<string, string>;
  /** Auxiliary files, by their fields. */
  files?: Record<string, File>;
  /** The steps before the operation: the picture's rotation and crop. */
  steps?: readonly WrittenStep[];
  left?: number;
  top?: number;
  isWhole?: boolean;
  sidePx?: number;
};

export type PreviewClient = {
  /**
   * Previews an operation on a part of the picture. The first preview uploads the picture, which the server keeps for minutes; if it
   * has expired there, it is uploaded once more. An upload that no preview waits for is aborted after 2 s. After a 429 or 503 no
   * request is sent until the retry time is over, or the caller has signed in or out.
   * @throws ApiProblem, ConnectionLost
   */
  fetchPreview(file: File, request: PreviewRequest, signal: AbortSignal): Promise<PreviewResult>;
};

/** How long an unused upload goes on: the next preview, requested when the user stops changing settings, reuses it. */
const uploadGraceMs = 2000;
/** Used when the server sends no `Retry-After`. */
const defaultPauseSeconds = 30;

type Upload = {
  job: Promise<string>;
  abort: AbortController;
  waiting: number;
  timer?: ReturnType<typeof setTimeout>;
};

export function createPreviewClient({ api, store }: Pick<StudioParts, "api" | "store">): PreviewClient {
  const uploads = new WeakMap<File, Upload>();
  let pause: { caller: string | undefined; untilMs: number; problem: ApiProblem } | undefined;

  const upload = (file: File): Upload => {
    const form = new FormData();
    form.append("keep", "true");
    form.append("side", "16");
    form.append("files", file, file.name);
    const abort = new AbortController();
    const job = api.open("POST /preview", { form, signal: abort.signal }).then(async (response) => {
      await response.arrayBuffer();
      return response.headers.get("x-job") ?? "";
    });
    const started: Upload = { job, abort, waiting: 0 };
    uploads.set(file, started);
    job.catch(() => uploads.get(file) === started && uploads.delete(file));
    return started;
  };

  /** Resolves to the id of the job that keeps the picture. */
  const send = async (file: File, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted(); // an already aborted signal fires no event, so nothing would abort the upload
    const current = uploads.get(file) ?? upload(file);
    current.waiting += 1;
    clearTimeout(current.timer);
    const leave = () => {
      current.waiting -= 1;
      if (current.waiting === 0) current.timer = setTimeout(() => current.abort.abort(), uploadGraceMs);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await current.job;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };

  const requestPreview = async (of: string, request: PreviewRequest, signal: AbortSignal): Promise<PreviewResult> => {
    const { operation, options, files = {}, steps, left, top, isWhole = false, sidePx = wholeSidePx } = request;
    const form = new FormData();
    form.append("of", of);
    form.append("operation", operation);
    form.append("options", JSON.stringify(options));
    for (const [field, file] of Object.entries(files)) form.append(field, file, file.name);
    if (steps) form.append("steps", JSON.stringify(steps));
    if (left !== undefined) form.append("left", String(Math.max(0, Math.round(left))));
    if (top !== undefined) form.append("top", String(Math.max(0, Math.round(top))));
    if (isWhole) {
      form.append("whole", "true");
      form.append("side", String(sidePx));
    }
    const response = await api.open("POST /preview", { form, signal });
    // Both are written by our server.
    const { size_bytes: sizeBytes, quality, ...rest } = JSON.parse(response.headers.get("x-preview") ?? "{}");
    const { width, height } = JSON.parse(response.headers.get("x-report") ?? "{}");
    return { ...rest, part: await blobOf(response), shown: { width, height }, isWhole, sizeBytes, quality };
  };

  const fetchFromUpload = async (file: File, request: PreviewRequest, signal: AbortSignal): Promise<PreviewResult> => {
    try {
      return await requestPreview(await send(file, signal), request, signal);
    } catch (problem) {
      signal.throwIfAborted();
      const isGone = problem instanceof ApiProblem && (problem.status === 404 || problem.status === 410);
      if (!isGone) throw problem;
      uploads.delete(file);
      return requestPreview(await send(file, signal), request, signal);
    }
  };

  return {
    async fetchPreview(file, request, signal) {
      const caller = store.read().caller?.id;
      const remainingMs = pause?.caller === caller ? (pause?.untilMs ?? 0) - Date.now() : 0;
      if (pause && remainingMs > 0)
        throw new ApiProblem({ ...pause.problem, retryAfterSeconds: Math.ceil(remainingMs / 1000) });
      try {
        return await fetchFromUpload(file, request, signal);
      } catch (problem) {
        if (problem instanceof ApiProblem && isPausing(problem))
          pause = { caller, untilMs: Date.now() + pauseSeconds(problem) * 1000, problem };
        throw problem;
      }
    },
  };
}

const isPausing = ({ status }: ApiProblem) => status === 429 || status === 503;
const pauseSeconds = ({ retryAfterSeconds = defaultPauseSeconds }: ApiProblem) => retryAfterSeconds;

/** Seconds for which the server accepts no previews; undefined if a retry may succeed at once. */
export const pauseAfter = (problem: unknown): number | undefined =>
  problem instanceof ApiProblem && isPausing(problem) ? pauseSeconds(problem) : undefined;

/** Whether the refusal is permanent, so that a retry is pointless. An expired upload (404, 410) is not: it is sent once more. */
export const isRefusal = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.status < 500 && ![404, 409, 410, 429].includes(problem.status);

/** Whether as much of the picture has been shown in parts as previews show. */
export const isPartLimit = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.code === "cannot-process" && problem.field === "part";

/** The message for a failed preview. */
export const previewProblem = (problem: unknown): string =>
  navigator.onLine === false && problem instanceof ConnectionLost
    ? "You are offline. The preview returns when you are back online."
    : pauseAfter(problem) === undefined
      ? sentenceOf(problem)
      : `The preview is paused. ${sentenceOf(problem)}`;
