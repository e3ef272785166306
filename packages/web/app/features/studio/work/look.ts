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
  left?: number;
  top?: number;
  isWhole?: boolean;
};

export type Looks = {
  /**
   * A part of the picture as an operation would make it. The picture is sent with the first look and kept by the server for
   * minutes; where it has gone there, it is sent once more.
   * @throws ApiProblem, ConnectionLost
   */
  look(file: File, wish: Wish, signal: AbortSignal): Promise<Look>;
};

export function createLooks({ api }: StudioParts): Looks {
  const sent = new WeakMap<File, Promise<string>>();

  const send = (file: File) => {
    const known = sent.get(file);
    if (known) return known;
    const form = new FormData();
    form.append("keep", "true");
    form.append("side", "16");
    form.append("files", file, file.name);
    // Not ended by a look that is given up: the next one waits for the same upload.
    const sending = api.open("POST /preview", { form }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.headers.get("x-job") ?? "";
    });
    sent.set(file, sending);
    sending.catch(() => sent.delete(file));
    return sending;
  };

  const ask = async (of: string, wish: Wish, signal: AbortSignal): Promise<Look> => {
    const { operation, options, left, top, isWhole = false } = wish;
    const form = new FormData();
    form.append("of", of);
    form.append("operation", operation);
    form.append("options", JSON.stringify(options));
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

  return {
    async look(file, wish, signal) {
      try {
        return await ask(await send(file), wish, signal);
      } catch (problem) {
        signal.throwIfAborted();
        const isGone = problem instanceof ApiProblem && (problem.status === 404 || problem.status === 410);
        if (!isGone) throw problem;
        sent.delete(file);
        return ask(await send(file), wish, signal);
      }
    },
  };
}

/** The sentence for a look that failed. */
export const whyNoLook = (problem: unknown): string =>
  navigator.onLine === false && problem instanceof ConnectionLost
    ? "You are offline. The preview returns when you are back online."
    : sentenceOf(problem);
