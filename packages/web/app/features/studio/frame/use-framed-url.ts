import { useEffect, useState } from "react";
import { hasFrame } from "../state/frame.ts";
import type { Picture } from "../state/picture.ts";
import type { Frame } from "../state/settings.ts";
import { drawFramed } from "./draw-framed.ts";

/** The original as a run's frame left it; its own URL where there was none, undefined until it is drawn. */
export function useFramedUrl(
  { preview, sides }: Picture,
  frame: Frame | undefined,
  { mostPx = Number.POSITIVE_INFINITY }: { mostPx?: number } = {},
): string | undefined {
  const source = preview.kind === "shown" ? preview.url : undefined;
  const [made, setMade] = useState<{ source: string; frame: Frame; url: string }>();
  useEffect(() => {
    if (source === undefined || !sides || !hasFrame(frame)) return;
    let isCurrent = true;
    let url: string | undefined;
    void drawFramed(source, { frame, sides, mostPx })
      .then((blob) => {
        if (!blob || !isCurrent) return;
        url = URL.createObjectURL(blob);
        setMade({ source, frame, url });
      })
      .catch(() => undefined); // the result is shown without its original
    return () => {
      isCurrent = false;
      if (url) URL.revokeObjectURL(url);
    };
  }, [source, sides, frame, mostPx]);
  if (!hasFrame(frame)) return source;
  return made && made.source === source && made.frame === frame ? made.url : undefined;
}
