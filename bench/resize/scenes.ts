import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { Picture } from "./reference.ts";

export type Scene = { name: string; picture: Picture; targetWidth: number };

/** Drawn scenes of fine contrast, and the photographs and screenshots of a folder at a common reduction. */
export async function* scenes(folder: string): AsyncGenerator<Scene> {
  yield { name: "text, black on white", picture: await draw(text("#000"), "#fff"), targetWidth: 480 };
  yield { name: "text, white on grey", picture: await draw(text("#fff"), "#222"), targetWidth: 480 };
  yield { name: "lines of one pixel", picture: await draw(lines, "#fff"), targetWidth: 480 };
  yield { name: "stars", picture: await draw(stars(), "#050510"), targetWidth: 480 };
  for (const file of (await readdir(folder)).filter((name) => /[.](jpg|png)$/.test(name)).sort()) {
    const picture = await load(sharp(join(folder, file)).autoOrient());
    yield { name: file, picture, targetWidth: Math.round(picture.width / 2.6) };
  }
}

async function load(image: Sharp): Promise<Picture> {
  // Pixels as they are in the file: no profile is applied on any side.
  const { data, info } = await image.keepIccProfile().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as 1 | 3 };
}

const draw = (body: string, background: string) =>
  load(
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200"><rect width="1200" height="1200" fill="${background}"/>${body}</svg>`,
      ),
    ),
  );
const text = (colour: string) =>
  Array.from(
    { length: 60 },
    (_, line) =>
      `<text x="8" y="${16 + line * 20}" font-size="16" font-family="DejaVu Sans" fill="${colour}">${line} The quick brown fox jumps over the lazy dog; sphinx of black quartz, judge my vow 0123456789</text>`,
  ).join("");
const lines = Array.from({ length: 300 }, (_, i) => `<path d="M${i * 4 + 0.5} 0V1200" stroke="#000"/>`).join("");

/** The same sky every time. */
function stars(): string {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from(
    { length: 2500 },
    () => `<circle cx="${next() * 1200}" cy="${next() * 1200}" r="${0.4 + next() * 0.8}" fill="#fff"/>`,
  ).join("");
}
