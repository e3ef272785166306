import type { ErrorCode } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import type { Sides } from "../state/frame.ts";
import type { Picture, PictureId, Preview } from "../state/picture.ts";
import { limitsOf } from "../state/studio-state.ts";
import { type Drawn, drawPreview } from "./intake/draw-preview.ts";
import type { StudioParts } from "./studio-parts.ts";

/** Longest side of a preview that the server draws: as much as it gives. px */
const serverPreviewPx = 1024;

export type Previews = {
  /** Starts to draw whatever the state holds that is not drawn yet; called after each change. */
  drawPending(): void;
};

/** Refusals that say something about the picture, not about its sender. */
const verdicts: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["not-an-image", "broken-image"]);

type Drawing = {
  blob: Blob;
  name: string;
  show(preview: Preview, sides?: Sides): void;
  /** The picture is none, or broken. */
  judge(fault: string): void;
};

const shown = ({ url, thumbUrl, thumb }: Drawn): Preview => ({ kind: "shown", url, thumbUrl, thumb });

const withOriginals = (picture: Picture): Picture[] =>
  picture.original ? [picture, ...withOriginals(picture.original)] : [picture];

/**
 * Draws pictures and results as they appear, the browser first, and the server for what the browser cannot draw (HEIC,
 * TIFF). Takes back object URLs that the state no longer holds.
 */
export function createPreviews({ store, api }: StudioParts): Previews {
  const begun = new WeakSet<Blob>();
  const limitDrawing = limitConcurrency(2);
  const limitAsking = limitConcurrency(1);
  let urls = new Set<string>();

  async function draw({ blob, name, show, judge }: Drawing) {
    const drawn = await limitDrawing(() => drawPreview(blob));
    if (drawn) return show(shown(drawn), drawn.sides);
    const isTooLarge = blob.size > (limitsOf(store.read())?.limits.megabytesPerFile ?? Number.POSITIVE_INFINITY) * 1e6;
    const asked = isTooLarge ? undefined : await limitAsking(() => askServer(blob, name, judge));
    show(asked ? shown(asked) : { kind: "none" });
  }

  /**
   * A preview is a courtesy: where it cannot be had the picture's name stands for it. A refusal of the picture itself
   * is a word about it that every tool would repeat.
   */
  async function askServer(blob: Blob, name: string, judge: Drawing["judge"]) {
    const form = new FormData();
    form.append("side", String(serverPreviewPx));
    form.append("files", blob, name);
    try {
      const answer = await api.open("POST /preview", { form });
      return await drawPreview(await answer.blob());
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.code && verdicts.has(problem.code))
        judge(`${name}: ${problem.detail}`);
      return undefined;
    }
  }

  const now = (id: PictureId) => store.read().pictures.find((picture) => picture.id === id);

  /** Drawn for nobody: it is drawn once more when it stands on the page again. */
  function discard(blob: Blob, preview: Preview) {
    begun.delete(blob);
    if (preview.kind !== "shown") return;
    URL.revokeObjectURL(preview.url);
    URL.revokeObjectURL(preview.thumbUrl);
  }

  function releaseUnused() {
    const held = new Set<string>();
    const { pictures, removals } = store.read();
    const removed = removals.flatMap(({ taken }) => taken.map(({ picture }) => picture));
    for (const { preview, outcome } of [...pictures, ...removed].flatMap(withOriginals)) {
      for (const shown of outcome.kind === "done" ? [preview, outcome.result.preview] : [preview]) {
        if (shown.kind === "shown") held.add(shown.url).add(shown.thumbUrl);
      }
    }
    for (const url of urls) if (!held.has(url)) URL.revokeObjectURL(url);
    urls = held;
  }

  return {
    drawPending() {
      releaseUnused();
      for (const { id, name, file, preview, outcome } of store.read().pictures) {
        if (file && preview.kind === "pending" && !begun.has(file)) {
          begun.add(file);
          void draw({
            blob: file,
            name,
            // A result may have taken its place meanwhile.
            show(drawn, sides) {
              if (now(id)?.file === file)
                store.dispatch({ type: "source-drawn", id, preview: drawn, ...(sides && { sides }) });
              else discard(file, drawn);
            },
            judge: (fault) => store.dispatch({ type: "picture-judged", id, fault }),
          });
        }
        if (outcome.kind !== "done" || outcome.result.preview.kind !== "pending") continue;
        const { blob, name: resultName } = outcome.result;
        if (begun.has(blob)) continue;
        begun.add(blob);
        void draw({
          blob,
          name: resultName,
          show(drawn) {
            const current = now(id)?.outcome;
            if (current?.kind === "done" && current.result.blob === blob)
              store.dispatch({ type: "result-drawn", id, preview: drawn });
            else discard(blob, drawn);
          },
          judge: () => undefined,
        });
      }
    },
  };
}
