import { ImageIcon } from "lucide-react";
import type { ReactNode } from "react";
import { joinClasses } from "../../../lib/join-classes.ts";
import { Comparison } from "../compare/comparison.tsx";
import { holdsAlpha, isBusy, type Picture } from "../state/picture.ts";
import { useStudioState } from "../studio-context.tsx";
import { WorkOverlay } from "./work-overlay.tsx";

/** The picture that is looked at, large: as it is, at work, or beside its result. */
export function Stage() {
  const picture = useStudioState(
    ({ pictures, selectedId }) => pictures.find(({ id }) => id === selectedId) ?? pictures[0],
  );
  const isOnly = useStudioState(({ pictures }) => pictures.length === 1); // then the bar below tells the same
  if (!picture) return null;
  const { outcome } = picture;
  if (outcome.kind === "done" && outcome.result.preview.kind === "shown")
    return (
      <Comparison key={picture.id} picture={picture} result={outcome.result} resultUrl={outcome.result.preview.url} />
    );
  return (
    <div className="relative flex flex-1 flex-col">
      <Large picture={picture} />
      {isBusy(picture) && !isOnly && <WorkOverlay picture={picture} />}
      {outcome.kind === "failed" && <Note>{outcome.reason}</Note>}
      {outcome.kind === "unchanged" && <Note>{outcome.reason}</Note>}
    </div>
  );
}

function Large({ picture }: { picture: Picture }) {
  const { preview, name, format, fault } = picture;
  if (preview.kind === "shown")
    return (
      <div className="relative min-h-64 flex-1 p-4">
        <div className="absolute inset-4 flex items-center justify-center">
          <img
            src={preview.url}
            alt={name}
            // A broken JPEG is drawn in part: what is missing of it is not transparent.
            className={joinClasses("max-h-full max-w-full object-contain", holdsAlpha(format) && "checkerboard")}
            draggable={false}
          />
        </div>
      </div>
    );
  return (
    <div className="flex min-h-64 flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-sm text-muted">
      <ImageIcon aria-hidden className="size-8" strokeWidth={1.25} />
      {fault ?? (preview.kind === "pending" ? "Drawing a preview" : "No preview")}
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="absolute inset-x-4 bottom-4 rounded-md bg-black/80 px-4 py-3 text-sm text-ink">{children}</p>;
}
