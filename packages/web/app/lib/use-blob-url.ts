import { useEffect, useState } from "react";

/** Object URL of a blob once it is loaded, revoked when `key` changes and on unmount. Undefined if the load fails. */
export function useBlobUrl(key: unknown, load: (signal: AbortSignal) => Promise<Blob | undefined>): string | undefined {
  const [url, setUrl] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is loaded
  useEffect(() => {
    const abort = new AbortController();
    let made: string | undefined;
    load(abort.signal)
      .then((blob) => {
        if (!blob || abort.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      })
      .catch(() => undefined);
    return () => {
      abort.abort();
      if (made === undefined) return;
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [key]);
  return url;
}
