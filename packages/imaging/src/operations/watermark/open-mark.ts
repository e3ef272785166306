import { rm, writeFile } from "node:fs/promises";
import type { Rectangle, Size } from "@tintype/codecs/raster";
import { DomainError, type TaskOptions } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import type { Source } from "../../formats/open-source.ts";
import { brokenImage } from "../../raster/broken-image.ts";
import { type OpenRows, readRows } from "../../raster/read-rows.ts";
import { openAuxiliary } from "../open-auxiliary.ts";
import type { OpenedTask } from "../operation.ts";
import type { Mark } from "./paint.ts";
import { placeMark } from "./place-mark.ts";
import { setTextMark } from "./text-mark.ts";

type Options = TaskOptions<"watermark">;

/** A mark that has been drawn in sRGB. `isNeutral`: white, black or grey, which are the same in every profile. */
export type DrawnMark = { image: Sharp; box: Rectangle; isNeutral: boolean };

/**
 * The mark of a task, turned and at its size.
 * @throws cannot-process without a text or a logo, with both, or for a letter that no font has; and as `openAuxiliary`
 */
export async function drawMark(source: Source, task: OpenedTask, options: Options): Promise<DrawnMark> {
  const logo = await openAuxiliary(task, "logo");
  if ((logo === undefined) === (options.text === undefined))
    throw new DomainError("cannot-process", { field: "text", reason: { code: "watermark-missing" } });
  return logo ? drawLogo(logo, source, options) : drawText(options.text ?? "", source, options);
}

async function drawText(text: string, source: Source, options: Options): Promise<DrawnMark> {
  const { path, ...size } = setTextMark(text, options.font);
  const { drawn, box } = placeMark(size, source, options);
  const colour = options.colour === "auto" ? await legibleOn(source, options.tiled ? source : box) : options.colour;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${box.width}" height="${box.height}"><g fill="${colour}" transform="translate(${box.width / 2} ${box.height / 2}) rotate(${options.angle}) scale(${drawn.width / size.width}) translate(${-size.width / 2} ${-size.height / 2})">${path}</g></svg>`;
  return { image: sharp(Buffer.from(svg), { limitInputPixels: false }), box, isNeutral: isNeutral(colour) };
}

async function drawLogo(logo: Source, source: Source, options: Options): Promise<DrawnMark> {
  const { drawn, box } = placeMark(logo, source, options);
  const image = logo.read({ frames: "first", colour: "srgb" }).resize({ ...drawn, fit: "fill" });
  if (options.angle === 0) return { image, box: { ...box, ...drawn }, isNeutral: false };
  const upright = await image.png({ compressionLevel: 1 }).toBuffer().catch(brokenImage);
  const turned = sharp(upright).rotate(options.angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } });
  return { image: turned.resize({ width: box.width, height: box.height, fit: "fill" }), box, isNeutral: false };
}

const isNeutral = (colour: string) =>
  colour.slice(1, 3) === colour.slice(3, 5) && colour.slice(3, 5) === colour.slice(5);

/** px: the sides of the reduced picture that is looked at. */
const reducedPx = 64;
/** 0..255: on anything lighter the text is black. White is the usual colour on what is between. */
const lightest = 160;

/** White or black, by the part of the picture that lies below. */
async function legibleOn(source: Source, { left, top, width, height }: Partial<Rectangle> & Size): Promise<string> {
  const samples = await source
    .read({ frames: "first", colour: "srgb" })
    .flatten({ background: "#ffffff" })
    .resize({ width: reducedPx, height: reducedPx, fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer()
    .catch(brokenImage);
  const at = (px: number, whole: number) => Math.min(reducedPx - 1, Math.max(0, Math.floor((px * reducedPx) / whole)));
  const [from, to] = [at(left ?? 0, source.width), at((left ?? 0) + width, source.width)];
  let [sum, count] = [0, 0];
  for (let y = at(top ?? 0, source.height); y <= at((top ?? 0) + height, source.height); y += 1)
    for (let x = from; x <= to; x += 1) {
      sum += samples[y * reducedPx + x] ?? 0;
      count += 1;
    }
  return sum / count > lightest ? "#000000" : "#ffffff";
}

type Opening = { options: Pick<Options, "opacity" | "tiled">; profile: Uint8Array | undefined; temporaryPath: string };

/** Opens a drawn mark in the colours of a picture with this profile. */
export async function openMark(
  { image, box, isNeutral }: DrawnMark,
  { options: { opacity, tiled }, profile, temporaryPath }: Opening,
): Promise<Mark & Pick<OpenRows, "close">> {
  const profilePath = `${temporaryPath}.icc`;
  try {
    if (profile && !isNeutral) await writeFile(profilePath, profile);
    const fitted = profile && !isNeutral ? image.withIccProfile(profilePath, { attach: false }) : image;
    const picture = { depth: 8, isGrey: false, hasAlpha: true } as const;
    const sizeBytes = box.width * box.height * 4;
    const rows = await readRows(fitted.ensureAlpha(), { picture, sizeBytes, temporaryPath });
    return { rows: rows as Mark["rows"], box, opacity: opacity / 100, isTiled: tiled, close: rows.close };
  } finally {
    await rm(profilePath, { force: true });
  }
}
