import { isPrivate } from "../../../../lib/brand.ts";
import { Button } from "../../../../ui/button.tsx";
import type { HeldResult, Outcome, Picture, PictureId } from "../../state/picture.ts";
import { useStudio } from "../../work/studio-context.tsx";

type Props = { picture: Picture; outcome: Extract<Outcome, { kind: "held" }> };

/** A held cut-out, which may lack a part of a person: its thumbnail and the decision to keep or discard it. */
export default function HeldResultView({ picture: { id, name }, outcome: { held, notes, candidates } }: Props) {
  const count = Math.max(1, candidates?.length ?? 1);
  const { widthPx, heightPx } = held.sides;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative min-h-64 flex-1">
        <div className="absolute inset-4 flex items-center justify-center">
          <div
            role="img"
            aria-label={`Preview of ${held.name}`}
            className="checkerboard max-h-full max-w-full"
            style={{
              aspectRatio: `${widthPx} / ${heightPx}`,
              [widthPx > heightPx ? "width" : "height"]: `${previewPx}px`,
            }}
          >
            <div
              className="size-full bg-no-repeat"
              style={{ backgroundImage: `url("${held.thumbsUrl}")`, backgroundSize: `100% ${count * 100}%` }}
            />
          </div>
        </div>
      </div>
      <div className="border-t border-line px-3 py-3 sm:px-4">
        <p className="mb-2 text-sm">
          {notes.join(" ")}{" "}
          <span className="text-muted">
            {count > 1
              ? `Keep it to choose among ${count} cut-outs and edit it, or discard it.`
              : "Keep it to edit it, or discard it."}
          </span>
        </p>
        <HeldActions id={id} name={name} held={held} />
      </div>
    </div>
  );
}

/** Longer side, CSS px: the thumbnails are no larger. */
const previewPx = 320;

function HeldActions({ id, name, held }: { id: PictureId; name: string; held: HeldResult }) {
  const studio = useStudio();
  // `aria-disabled`, because `disabled` would lose the focus during the request.
  const isBusy = held.pendingDecision !== undefined;
  const keep = held.pendingDecision === "keep" ? "Downloading..." : "Keep";
  const discard =
    held.pendingDecision === "discard" ? "Discarding..." : isPrivate ? "Discard" : "Discard and get the credit back";
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        kind="primary"
        aria-label={`${keep} ${name}`}
        aria-disabled={isBusy}
        onClick={() => studio.decideHeld(id, "keep")}
      >
        {keep}
      </Button>
      <Button
        aria-label={`${discard}: ${name}`}
        aria-disabled={isBusy}
        onClick={() => studio.decideHeld(id, "discard")}
        className="max-sm:whitespace-normal"
      >
        {discard}
      </Button>
    </div>
  );
}
