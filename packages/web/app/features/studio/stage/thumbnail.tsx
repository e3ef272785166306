import { ImageIcon } from "lucide-react";
import type { Picture } from "../state/picture.ts";

/** A picture, small and square; its result where that is a cut-out or where there is nothing else to show. */
export function Thumbnail({ picture: { preview, outcome, name } }: { picture: Picture }) {
  const result = outcome.kind === "done" ? outcome.result.preview : undefined;
  const shown = result?.kind === "shown" ? result : preview;
  if (shown.kind === "shown")
    return <img src={shown.thumbUrl} alt="" className="checkerboard size-full object-cover" draggable={false} />;
  const ending = name.split(".").at(-1) ?? "";
  return (
    <span className="flex size-full flex-col items-center justify-center gap-0.5 bg-sunken text-muted">
      <ImageIcon aria-hidden className="size-4" />
      <span className="max-w-full truncate px-1 text-[0.625rem] uppercase">{ending}</span>
    </span>
  );
}
