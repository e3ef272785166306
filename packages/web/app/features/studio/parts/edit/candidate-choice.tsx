import { text } from "@tintype/contract";
import { useApi } from "../../../../lib/api/context.tsx";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { useBlobUrl } from "../../../../lib/use-blob-url.ts";
import { lacksPart } from "../../state/cut-out-remarks.ts";
import { framedSides } from "../../state/frame.ts";
import type { Order } from "../../state/order.ts";
import type { Picture, Result } from "../../state/picture.ts";
import { fetchThumbs } from "../../work/fetch-result.ts";

type Props = {
  picture: Picture;
  job: NonNullable<Result["job"]>;
  order: Order | undefined;
  /** Number of candidates. */
  candidates: number;
  chosen: number;
  status: string;
  onChoose(candidate: number, waitMs: number): void;
};

/** Arrow keys change the choice of a radio group, so a candidate that is only passed over is not cut out. */
const debounceMs = 250;
/** Longer side of a thumbnail: large enough to tell the candidates apart. The server's have 320 px. */
const thumbPx = 160;

/** Lets the user choose a cut-out among its candidates, shown as thumbnails. */
export function CandidateChoice({ picture, job, order, candidates, chosen, status, onChoose }: Props) {
  const api = useApi();
  // The image with all thumbnails. Without it the choices show their numbers.
  const sheet = useBlobUrl(`${job.id} ${job.index}`, (signal) =>
    fetchThumbs({ api, jobId: job.id, index: job.index, signal }),
  );
  const { outcome } = picture;
  const isIncomplete = outcome.kind === "done" && lacksPart(outcome);
  const sides = picture.sides && framedSides(picture.sides, order?.frame);
  const { widthPx, heightPx } = sides ?? { widthPx: 1, heightPx: 1 };
  const scale = thumbPx / Math.max(widthPx, heightPx);
  const thumbSize = { width: Math.max(24, widthPx * scale), height: Math.max(24, heightPx * scale) };
  return (
    <fieldset className="min-w-0">
      <legend className="float-left mb-2 w-full text-sm">
        {isIncomplete ? `${text.personMissing} Pick the version you prefer.` : "Pick the version you prefer."}
      </legend>
      <div className="clear-both flex flex-wrap items-center gap-2">
        {Array.from({ length: candidates }, (_, at) => at + 1).map((candidate) => (
          <label
            key={candidate}
            className={joinClasses(
              "relative block cursor-pointer overflow-hidden rounded-sm border",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
              candidate === chosen ? "border-ink ring-1 ring-ink" : "border-edge",
            )}
          >
            <input
              type="radio"
              name={`candidate-${job.id}-${job.index}`}
              aria-label={`Cut-out ${candidate} of ${candidates}`}
              checked={candidate === chosen}
              onChange={() => onChoose(candidate, debounceMs)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span aria-hidden className="checkerboard block" style={thumbSize}>
              {sheet ? (
                <span
                  className="block size-full bg-no-repeat"
                  style={{
                    backgroundImage: `url("${sheet}")`,
                    backgroundSize: `100% ${candidates * 100}%`,
                    backgroundPosition: `0 ${((candidate - 1) / (candidates - 1)) * 100}%`,
                  }}
                />
              ) : (
                <span className="grid size-full place-items-center bg-black/80 text-sm text-ink">{candidate}</span>
              )}
            </span>
          </label>
        ))}
        <p role="status" className="text-sm text-muted empty:hidden">
          {status}
        </p>
      </div>
    </fieldset>
  );
}
