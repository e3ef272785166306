import { ImageIcon } from "lucide-react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { holdsAlpha, type Picture } from "../../state/picture.ts";

type Props = {
  picture: Picture;
  /** The whole picture instead of a square cut from its middle. */
  isWhole?: boolean;
};

/** A thumbnail of a picture's result, or of the picture while there is no result preview. It fills a square. */
export function Thumbnail({ picture: { preview, outcome, name, format }, isWhole = false }: Props) {
  const result = outcome.kind === "done" ? outcome.result.preview : undefined;
  const shown = result?.kind === "shown" ? result : preview;
  const isResult = shown === result;
  const resultFormat = outcome.kind === "done" ? outcome.result.format : undefined;
  if (shown.kind === "shown")
    return (
      <img
        src={shown.thumbUrl}
        alt=""
        className={joinClasses(
          isWhole ? "max-h-full max-w-full rounded-sm" : "size-full object-cover",
          holdsAlpha(isResult ? resultFormat : format) && "checkerboard",
        )}
        draggable={false}
      />
    );
  const ending = name.split(".").at(-1) ?? "";
  return (
    <span className="flex size-full flex-col items-center justify-center gap-0.5 bg-sunken text-muted">
      <ImageIcon aria-hidden className="size-4" />
      <span className="max-w-full truncate px-1 text-[0.625rem] uppercase">{ending}</span>
    </span>
  );
}
