import { useEffect, useState } from "react";
import type { Picture } from "../../state/picture.ts";
import { isRefusal, type Look, pauseAfter, type Wish, whyNoLook } from "../../work/look.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

export type Seen =
  | { kind: "waiting" }
  /** `isOld`: a newer one is on its way. */
  | { kind: "seen"; look: Look; url: string; isOld: boolean }
  /** `isRefused`: asking again would not help. `retry`: missing then, and while the server takes none; then it is asked again by itself. */
  | { kind: "failed"; sentence: string; isRefused: boolean; retry: (() => void) | undefined };

type Fault = { key: string; sentence: string; isRefused: boolean; pauseSeconds: number | undefined };

/**
 * The look at a picture with the present settings; the last one stays until the next has come. `restMs`: a setting that is still
 * changed is asked for when it rests so long.
 */
export function useLiveLook(picture: Picture | undefined, wish: Wish | undefined, { restMs = 120 } = {}): Seen {
  const studio = useStudio();
  const [seen, setSeen] = useState<{ look: Look; url: string; key: string }>();
  const [fault, setFault] = useState<Fault>();
  const [tries, setTries] = useState(0);
  const file = picture?.file;
  // Another caller has another allowance.
  const caller = useStudioState((state) => state.caller?.id);
  const key = JSON.stringify([picture?.id, wish, tries, caller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the wish
  useEffect(() => {
    if (!file || !wish) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      studio
        .look(file, wish, abort.signal)
        .then((look) => {
          if (abort.signal.aborted) return;
          setFault(undefined);
          setSeen({ look, url: URL.createObjectURL(look.part), key });
        })
        .catch((problem: unknown) => {
          if (abort.signal.aborted) return;
          const [sentence, pauseSeconds] = [whyNoLook(problem), pauseAfter(problem)];
          setFault({ key, sentence, isRefused: isRefusal(problem), pauseSeconds });
        });
    }, restMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, file]);

  const failed = fault?.key === key ? fault : undefined;
  useEffect(() => {
    if (!failed || failed.isRefused) return;
    let isDue = false;
    // A tab that nobody looks at waits until it is looked at.
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

  if (failed) {
    const { sentence, isRefused, pauseSeconds } = failed;
    const canRetry = !isRefused && pauseSeconds === undefined;
    return { kind: "failed", sentence, isRefused, retry: canRetry ? () => setTries((count) => count + 1) : undefined };
  }
  return seen ? { kind: "seen", look: seen.look, url: seen.url, isOld: seen.key !== key } : { kind: "waiting" };
}
