import type { ErrorCode, WrittenStep } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import type { Sides } from "../state/frame.ts";
import { orderOf } from "../state/order.ts";
import { hasPages } from "../state/page.ts";
import type { Picture, PictureId, Preview } from "../state/picture.ts";
import { limitsOf } from "../state/studio-state.ts";
import { drawPreview } from "./intake/draw-preview.ts";
import type { Thumbnail, ThumbnailSource } from "./intake/thumbnail.ts";
import { createWorkerCall } from "./intake/worker-call.ts";
import type { StudioParts } from "./studio-parts.ts";

/** Longest side of a preview rendered by the server, which is also its limit, px. */
const serverPreviewPx = 1024;

export type Previews = {
  /** Starts rendering every preview that the state lacks. Call it after each change. */
  drawPending(): void;
};

/** Debounce of a page number that is being typed. */
const pageDebounceMs = 400;

/** Error codes that are about the picture, not about the caller. */
const verdicts: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["not-an-image", "broken-image"]);

type PreviewRequest = {
  blob: Blob;
  sides: Sides | undefined;
  name: string;
  /** Page of a document. The server renders documents: not every browser can, and none renders any page but the first. */
  page?: string | undefined;
  isDocument?: boolean;
  /** False once another page has been chosen. */
  isWanted(): boolean;
  show(preview: Preview, sides?: Sides): void;
  /** The file is not a picture, or it is broken. */
  judge(fault: string): void;
};

/** The page number in the steps, if any. */
const pageIn = (steps: readonly WrittenStep[]): string | undefined =>
  /"page":([0-9]+)/.exec(JSON.stringify(steps))?.[1];

const withOriginals = (picture: Picture): Picture[] =>
  picture.original ? [picture, ...withOriginals(picture.original)] : [picture];

/**
 * Renders previews of pictures and results as they appear: in the browser, or on the server for what the browser cannot
 * decode (HEIC, TIFF). Revokes object URLs that the state no longer holds.
 */
export function createPreviews({ store, api }: StudioParts): Previews {
  /** The page of a document that each preview was started for. */
  const started = new WeakMap<Blob, string | undefined>();
  // In a worker: decoding a photograph of 12 megapixels takes longer than a frame.
  const drawThumbnail = createWorkerCall<ThumbnailSource, Thumbnail>(
    () => new Worker(new URL("./intake/thumbnail.worker.ts", import.meta.url), { type: "module" }),
  );
  // Each holds up to about 140 MB while it runs: of all formats but JPEG the browser decodes the whole picture.
  const limitDrawing = limitConcurrency(1);
  const limitServerPreviews = limitConcurrency(1);
  let urls = new Set<string>();

  async function draw({ blob, sides, name, page, isDocument, isWanted, show, judge }: PreviewRequest) {
    const drawn = isDocument
      ? undefined
      : await limitDrawing(() => drawPreview(blob, () => drawThumbnail({ picture: blob, sides })));
    if (drawn) return show(drawn.preview, drawn.sides);
    const isTooLarge = blob.size > (limitsOf(store.read())?.limits.megabytesPerFile ?? Number.POSITIVE_INFINITY) * 1e6;
    const rendered = isTooLarge
      ? undefined
      : await limitServerPreviews(async () => (isWanted() ? renderOnServer({ blob, name, page, judge }) : undefined));
    if (isWanted()) show(rendered?.preview ?? { kind: "none" });
  }

  /**
   * A preview is best effort: without one the picture's name is shown. A refusal of the picture itself is recorded,
   * since every tool would refuse it too.
   */
  async function renderOnServer({ blob, name, page, judge }: Pick<PreviewRequest, "blob" | "name" | "page" | "judge">) {
    const form = new FormData();
    form.append("side", String(serverPreviewPx));
    if (page !== undefined) form.append("page", page);
    form.append("files", blob, name);
    try {
      const response = await api.open("POST /preview", { form });
      return await drawPreview(await response.blob());
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.code && verdicts.has(problem.code))
        judge(`${name}: ${problem.detail}`);
      return undefined;
    }
  }

  const now = (id: PictureId) => store.read().pictures.find((picture) => picture.id === id);

  /** Drops a preview whose picture has left the page. It is rendered again if the picture comes back. */
  function discard(blob: Blob, preview: Preview) {
    started.delete(blob);
    if (preview.kind !== "shown") return;
    URL.revokeObjectURL(preview.url);
    URL.revokeObjectURL(preview.thumbUrl);
  }

  function releaseUnused() {
    const held = new Set<string>();
    const { pictures, removals } = store.read();
    const removed = removals.flatMap(({ entries }) => entries.map(({ picture }) => picture));
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
      const state = store.read();
      for (const picture of state.pictures) {
        const { id, name, file, sides, preview, outcome } = picture;
        const page = hasPages(picture) ? pageIn(orderOf(state, picture).steps) : undefined;
        if (file && (started.has(file) ? started.get(file) !== page : preview.kind === "pending")) {
          const isOtherPage = started.has(file);
          started.set(file, page);
          const isDocument = hasPages(picture);
          const drawing: PreviewRequest = {
            blob: file,
            sides,
            name,
            page,
            isDocument,
            isWanted: () => started.get(file) === page,
            // A result may have replaced the file meanwhile.
            show(drawn, drawnSides) {
              if (now(id)?.file === file)
                store.dispatch({ type: "source-drawn", id, preview: drawn, ...(drawnSides && { sides: drawnSides }) });
              else discard(file, drawn);
            },
            // One page of a document may be broken while the others are not.
            judge: (fault) => !isDocument && store.dispatch({ type: "picture-judged", id, fault }),
          };
          // Debounced, so that not every digit typed asks for a preview.
          if (isOtherPage) setTimeout(() => void draw(drawing), pageDebounceMs);
          else void draw(drawing);
        }
        if (outcome.kind !== "done" || outcome.result.preview.kind !== "pending") continue;
        const { blob, name: resultName, sides: resultSides } = outcome.result;
        if (started.has(blob)) continue;
        started.set(blob, undefined);
        void draw({
          blob,
          sides: resultSides,
          name: resultName,
          isWanted: () => true,
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
