import { useEffect, useState } from "react";
import type { Picture } from "../../state/picture.ts";
import {
  isPartLimit,
  isRefusal,
  type PreviewRequest,
  type PreviewResult,
  pauseAfter,
  previewProblem,
} from "../../work/preview-client.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

export type LivePreview =
  | { kind: "waiting" }
  /**
   * `isOld`: a newer preview is pending. `isAtLimit`: the requested part is refused, because as much of the picture was shown as
   * previews show.
   */
  | { kind: "seen"; result: PreviewResult; url: string; isOld: boolean; isAtLimit: boolean }
  /** `isRefused`: a retry would not help. `retry` is undefined then, and during a pause, after which it retries automatically. */
  | { kind: "failed"; sentence: string; isRefused: boolean; isAtLimit: boolean; retry: (() => void) | undefined };

type Fault = {
  key: string;
  sentence: string;
  isRefused: boolean;
  isAtLimit: boolean;
  pauseSeconds: number | undefined;
};

/**
 * The preview of a picture with the current settings. The previous one stays until the next arrives. `debounceMs` is the debounce of
 * setting changes.
 */
export function useLivePreview(
  picture: Picture | undefined,
  request: PreviewRequest | undefined,
  { debounceMs }: { debounceMs: number },
): LivePreview {
  const studio = useStudio();
  const [seen, setSeen] = useState<{ result: PreviewResult; url: string; key: string }>();
  const [fault, setFault] = useState<Fault>();
  const [tries, setTries] = useState(0);
  const file = picture?.file;
  // A change of caller refetches, since its allowance differs.
  const caller = useStudioState((state) => state.caller?.id);
  const key = JSON.stringify([picture?.id, request, tries, caller], (_, value) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the request
  useEffect(() => {
    if (!file || !request) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      studio
        .fetchPreview(file, request, abort.signal)
        .then((result) => {
          if (abort.signal.aborted) return;
          setFault(undefined);
          setSeen({ result, url: URL.createObjectURL(result.part), key });
        })
        .catch((problem: unknown) => {
          if (abort.signal.aborted) return;
          const [sentence, pauseSeconds] = [previewProblem(problem), pauseAfter(problem)];
          const verdict = { isRefused: isRefusal(problem), isAtLimit: isPartLimit(problem) };
          setFault({ key, sentence, ...verdict, pauseSeconds });
        });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, file]);

  const failed = fault?.key === key ? fault : undefined;
  useEffect(() => {
    if (!failed || failed.isRefused) return;
    let isDue = false;
    // A hidden tab retries only when it becomes visible.
    const retry = () => {
      if (isDue && document.visibilityState === "visible") setTries((count) => count + 1);
    };
    const due = () => {
      isDue = true;
      retry();
    };
    const { pauseSeconds } = failed;
    const timer = pauseSeconds === undefined ? undefined : setTimeout(due, pauseSeconds * 1000);
    window.addEventListener("online", due);
    document.addEventListener("visibilitychange", retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", due);
      document.removeEventListener("visibilitychange", retry);
    };
  }, [failed]);

  const url = seen?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);

  const isAtLimit = failed?.isAtLimit ?? false;
  if (failed && !(isAtLimit && seen)) {
    const { sentence, isRefused, pauseSeconds } = failed;
    const canRetry = !isRefused && pauseSeconds === undefined;
    const retry = canRetry ? () => setTries((count) => count + 1) : undefined;
    return { kind: "failed", sentence, isRefused, isAtLimit, retry };
  }
  return seen
    ? { kind: "seen", result: seen.result, url: seen.url, isOld: seen.key !== key, isAtLimit }
    : { kind: "waiting" };
}
