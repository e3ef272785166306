import type { EditSettings } from "../../state/picture.ts";
import { type Matte, patchBetween } from "./matte.ts";
import { encodeGreyPng } from "./write-matte.ts";

export const firstEdit: EditSettings = {
  ground: "transparent",
  colour: "#ffffff",
  picture: undefined,
  blur: 40,
  shadow: 0,
  isCropped: false,
  margin: 5,
};

export const isOpaque = ({ ground }: EditSettings): boolean => ground !== "transparent";

/** The form of an edit. The matte goes along where the brush has changed it. */
export async function editForm(
  { ground, colour, picture, blur, shadow, isCropped, margin }: EditSettings,
  matte: { now: Matte; before: Uint8Array },
): Promise<FormData> {
  const form = new FormData();
  if (ground === "colour") form.append("background", colour);
  if (ground === "blur") form.append("blur", String(blur));
  form.append("shadow", String(shadow));
  form.append("crop", String(isCropped));
  form.append("margin", String(margin));
  if (ground === "picture" && picture) form.append("background_image", picture, picture.name);
  if (patchBetween(matte.before, matte.now)) form.append("matte", await encodeGreyPng(matte.now), "matte.png");
  return form;
}
