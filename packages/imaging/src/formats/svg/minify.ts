import sharp from "sharp";
import { optimize } from "svgo";
import { ssimulacra2 } from "../../quality/score/ssimulacra2.ts";
import { drawableSvg } from "./drawable.ts";

/** Side of the drawings that are compared, px. */
const comparedSide = 512;
/** The score at which nobody sees a difference, and some room above it. */
const sameFrom = 95;

/**
 * The same drawing in less text, by svgo; undefined where what it made draws another picture, or cannot be drawn. `plain`
 * is text as `plainSvg` gives it.
 *
 * Names stay, and what is not drawn: a page's styles and scripts may mean them, and another drawing may use them.
 */
export async function minifySvg(plain: string): Promise<string | undefined> {
  const minified = optimize(plain, {
    multipass: true,
    plugins: [
      {
        name: "preset-default",
        params: {
          overrides: { cleanupIds: false, removeHiddenElems: false, removeUnknownsAndDefaults: { keepRoleAttr: true } },
        },
      },
    ],
  }).data;
  return (await drawsAlike(plain, minified)) ? minified : undefined;
}

async function drawsAlike(plain: string, minified: string): Promise<boolean> {
  try {
    const [before, after] = [await drawn(plain), await drawn(minified)];
    return before.width === after.width && before.height === after.height && ssimulacra2(before, after) >= sameFrom;
  } catch {
    return false; // what cannot be drawn is not shown to draw the same
  }
}

/** Handed over as bytes, which reach neither file nor network. */
async function drawn(text: string) {
  const { data, info } = await sharp(Buffer.from(drawableSvg(text)), { limitInputPixels: false })
    .resize({ width: comparedSide, height: comparedSide, fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 4 as const };
}
