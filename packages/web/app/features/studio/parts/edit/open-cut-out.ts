import type { Api } from "@tintype/contract/api";
import { loadImage } from "../../../../lib/load-image.ts";
import type { Matte, Result } from "../../state/picture.ts";
import { blobOf } from "../../work/fetch-result.ts";

/** A cut-out opened for editing: its colours and the original's as bitmaps, and its alpha at full resolution. */
export type OpenCutOut = { matte: Matte; cutOut: ImageBitmap; original: ImageBitmap | undefined };

/** Rows read at once: phones refuse a canvas of more than 16 megapixels. */
const stripRows = 256;

/**
 * Fetches the whole cut-out, which the server keeps, and reads its alpha.
 * @throws ApiProblem (410: the cut-out has expired), ConnectionLost
 */
export async function openCutOut(
  api: Api,
  {
    job,
    candidate,
    originalUrl,
    signal,
  }: { job: NonNullable<Result["job"]>; candidate: number; originalUrl: string | undefined; signal: AbortSignal },
): Promise<OpenCutOut> {
  const response = await api.open("POST /jobs/{id}/files/{index}/edit", {
    params: job,
    form: wholeForm(candidate),
    signal,
  });
  const cutOut = await createImageBitmap(await blobOf(response));
  const original =
    originalUrl === undefined
      ? undefined
      : await loadImage(originalUrl)
          .then(createImageBitmap)
          .catch(() => undefined);
  return { matte: readAlpha(cutOut), cutOut, original };
}

function wholeForm(candidate: number): FormData {
  const form = new FormData();
  form.append("candidate", String(candidate));
  form.append("background", "transparent");
  return form;
}

function readAlpha(cutOut: ImageBitmap): Matte {
  const { width, height } = cutOut;
  const values = new Uint8Array(width * height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, Math.min(stripRows, height)];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no canvas.");
  for (let top = 0; top < height; top += stripRows) {
    const rows = Math.min(stripRows, height - top);
    context.clearRect(0, 0, width, rows);
    context.drawImage(cutOut, 0, top, width, rows, 0, 0, width, rows);
    const { data } = context.getImageData(0, 0, width, rows);
    for (let i = 0; i < width * rows; i += 1) values[top * width + i] = data[i * 4 + 3] as number;
  }
  return { width, height, values };
}
