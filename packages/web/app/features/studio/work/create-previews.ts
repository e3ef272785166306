import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import { drawPreview } from "../intake/draw-preview.ts";
import type { Preview, Sides } from "../state/picture.ts";
import type { StudioParts } from "../studio-parts.ts";

/** Longest side of a preview that the server draws: enough for the stage on a dense screen. px */
const serverPreviewPx = 2048;

export type Previews = {
  /** Starts to draw whatever the state holds that is not drawn yet; called after each change. */
  drawPending(): void;
};

/**
 * Draws pictures and results as they appear, the browser first, and the server for what the browser cannot draw (HEIC,
 * TIFF). Takes back object URLs that the state no longer holds.
 */
export function createPreviews({ store, api }: StudioParts): Previews {
  const begun = new WeakSet<Blob>();
  const limitDrawing = limitConcurrency(2);
  const limitAsking = limitConcurrency(1);
  let urls = new Set<string>();

  async function draw(blob: Blob, name: string, show: (preview: Preview, sides?: Sides) => void) {
    const drawn = await limitDrawing(() => drawPreview(blob));
    if (drawn) return show({ kind: "shown", url: drawn.url, thumbUrl: drawn.thumbUrl }, drawn.sides);
    const asked = await limitAsking(() => askServer(blob, name));
    show(asked ? { kind: "shown", url: asked.url, thumbUrl: asked.thumbUrl } : { kind: "none" });
  }

  /** A preview is a courtesy: where it cannot be had, for whatever reason, the picture's name stands for it. */
  async function askServer(blob: Blob, name: string) {
    const form = new FormData();
    form.append("side", String(serverPreviewPx));
    form.append("files", blob, name);
    const answer = await api.open("POST /preview", { form }).catch(() => undefined);
    const preview = await answer?.blob().catch(() => undefined);
    return preview && drawPreview(preview);
  }

  function releaseUnused() {
    const held = new Set<string>();
    for (const { preview, outcome } of store.read().pictures) {
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
          void draw(file, name, (drawn, sides) =>
            store.dispatch({ type: "source-drawn", id, preview: drawn, ...(sides && { sides }) }),
          );
        }
        if (outcome.kind !== "done" || outcome.result.preview.kind !== "pending") continue;
        const { blob, name: resultName } = outcome.result;
        if (begun.has(blob)) continue;
        begun.add(blob);
        void draw(blob, resultName, (drawn) => store.dispatch({ type: "result-drawn", id, preview: drawn }));
      }
    },
  };
}
