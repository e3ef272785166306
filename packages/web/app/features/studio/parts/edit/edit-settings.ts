import { type Api, ApiProblem } from "@tintype/contract/api";
import { defaultColour, fieldValue } from "../../state/form-fields.ts";
import type { Order } from "../../state/order.ts";
import type { EditedMattes, EditSettings, Matte, Result } from "../../state/picture.ts";
import { blobOf } from "../../work/fetch-result.ts";
import { drawPreview } from "../../work/intake/draw-preview.ts";
import { previewProblem } from "../../work/preview-client.ts";
import { encodeGreyPng } from "./write-matte.ts";

const noEdit: EditSettings = {
  candidate: 1,
  ground: "transparent",
  colour: defaultColour,
  picture: undefined,
  blur: 40,
  shadow: 0,
  isCropped: false,
  margin: 5,
};

/** A cut-out's current edit settings: those of its last edit, or else from the options that it was made with. */
export function editOf({ edit }: Result, order: Order | undefined): EditSettings {
  if (edit) return edit.settings;
  if (order?.tool !== "remove-background") return noEdit;
  const { ground = noEdit.ground, colour = noEdit.colour, picture } = order.settings;
  const isCropped = fieldValue(order.tool, order.settings, "crop") === "true";
  return { ...noEdit, ground, colour, picture, isCropped };
}

type EditRequest = {
  job: NonNullable<Result["job"]>;
  settings: EditSettings;
  editedMattes: EditedMattes | undefined;
  signal?: AbortSignal;
};

/**
 * Applies these settings to a finished cut-out on the server, at full resolution and free of charge.
 * @throws ApiProblem (410: the cut-out has expired), ConnectionLost
 */
export async function editCutOut(
  api: Api,
  { job, settings, editedMattes = new Map(), signal }: EditRequest,
): Promise<Partial<Result>> {
  const form = await editForm(settings, editedMattes.get(settings.candidate));
  const response = await api.open("POST /jobs/{id}/files/{index}/edit", {
    params: job,
    form,
    ...(signal && { signal }),
  });
  const { width, height } = JSON.parse(response.headers.get("x-report") ?? "{}") as { width: number; height: number }; // our server's
  const blob = await blobOf(response);
  // Decode it before it replaces the current preview.
  const drawn = await drawPreview(blob);
  return {
    blob,
    sizeBytes: blob.size,
    sides: { widthPx: width, heightPx: height },
    preview: drawn?.preview ?? { kind: "pending" },
    isSaved: false,
    isCached: false,
    key: undefined,
    edit: { settings, editedMattes },
  };
}

async function editForm(
  { candidate, ground, colour, picture, blur, shadow, isCropped, margin }: EditSettings,
  editedMattes: Matte | undefined,
): Promise<FormData> {
  const form = new FormData();
  form.append("candidate", String(candidate));
  if (ground === "colour") form.append("background", colour);
  if (ground === "blur") form.append("blur", String(blur));
  form.append("shadow", String(shadow));
  form.append("crop", String(isCropped));
  form.append("margin", String(margin));
  if (ground === "picture" && picture) form.append("background_image", picture, picture.name);
  if (editedMattes) form.append("matte", await encodeGreyPng(editedMattes), "matte.png");
  return form;
}

export const overSentence = "The free edits of this cut-out have expired. Run it again to edit it.";

/** The message for a failed edit. */
export const whyNoEdit = (problem: unknown): string =>
  problem instanceof ApiProblem && (problem.status === 410 || problem.status === 404)
    ? overSentence
    : previewProblem(problem);
