import { useEffect, useState } from "react";
import type { Picture } from "../../state/picture.ts";
import { type Look, pauseAfter, type Wish, whyNoLook } from "../../work/look.ts";
import { useStudio } from "../../work/studio-context.tsx";

export type Seen =
  | { kind: "waiting" }
  /** `isOld`: a newer one is on its way. */
  | { kind: "seen"; look: Look; url: string; isOld: boolean }
  /** `retry`: missing where the server takes none for a while; then it is asked again by itself. */
  | { kind: "failed"; sentence: string; retry: (() => void) | undefined };

/**
 * The look at a picture with the present settings; the last one stays until the next has come. `restMs`: a setting that is still
 * changed is asked for when it rests so long.
 */
export function useLiveLook(picture: Picture | undefined, wish: Wish | undefined, { restMs = 120 } = {}): Seen {
  const studio = useStudio();
  const [seen, setSeen] = useState<{ look: Look; url: string; key: string }>();
  const [fault, setFault] = useState<{ key: string; sentence: string; pauseSeconds: number | undefined }>();
  const [tries, setTries] = useState(0);
  const file = picture?.file;
  const key = JSON.stringify([picture?.id, wish, tries]);

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
          if (!abort.signal.aborted) setFault({ key, sentence: whyNoLook(problem), pauseSeconds: pauseAfter(problem) });
        });
    }, restMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, file]);

  useEffect(() => {
    const retry = () => setTries((count) => count + 1);
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, []);

  const pauseSeconds = fault?.key === key ? fault.pauseSeconds : undefined;
  useEffect(() => {
    if (pauseSeconds === undefined) return;
    const timer = setTimeout(() => setTries((count) => count + 1), pauseSeconds * 1000);
    return () => clearTimeout(timer);
  }, [pauseSeconds]);

  const url = seen?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);

  if (fault?.key === key)
    return {
      kind: "failed",
      sentence: fault.sentence,
      retry: fault.pauseSeconds === undefined ? () => setTries((count) => count + 1) : undefined,
    };
  return seen ? { kind: "seen", look: seen.look, url: seen.url, isOld: seen.key !== key } : { kind: "waiting" };
}
