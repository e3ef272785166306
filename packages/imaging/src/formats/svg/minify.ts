import { ssimulacra2 } from "@tintype/codecs/score";
import sharp from "sharp";
import { drawableSvg } from "./drawable.ts";
import { loadSvgo } from "./load-svgo.ts";
import { hidesParts } from "./undrawn.ts";

/** Side of the compared renderings, px. */
const comparedSide = 512;
/** A visually lossless score, with a small margin. */
const sameFrom = 95;

/**
 * Style rules and animations refer to elements and their attributes: they affect more than the rendering that is
 * compared.
 */
const hasRules = /<(?:\w+:)?style[\s/>]/;
const hasAnimations = /<(?:\w+:)?(?:animate\w*|set)[\s/>]|@keyframes/;

/** Every element keeps its place and its own attributes. */
const elementsStay = {
  convertShapeToPath: false,
  convertEllipseToCircle: false,
  mergePaths: false,
  collapseGroups: false,
  moveElemsAttrsToGroup: false,
  moveGroupAttrsToElems: false,
  removeUnknownsAndDefaults: false,
  convertPathData: { applyTransforms: false },
} as const;
/** An animation may depend on an attribute's value as written. */
const attributesStay = { convertPathData: false, convertTransform: false } as const;

/**
 * Minifies a drawing by svgo; undefined if the result renders differently, or not at all. `plain` is the output of
 * `plainSvg`.
 *
 * What the comparison cannot see is not rewritten. Ids and unrendered parts are kept: a page's styles and scripts may
 * refer to them, and another drawing may use them.
 */
export async function minifySvg(plain: string): Promise<string | undefined> {
  const minified = hidesParts(plain) ? withoutSpareText(plain) : inFewestBytes(plain);
  return (await drawsAlike(plain, minified)) ? minified : undefined;
}

/** Removes only text that no viewer reads; every element and attribute is kept. */
const withoutSpareText = (plain: string): string =>
  loadSvgo().optimize(plain, {
    plugins: ["removeDoctype", "removeXMLProcInst", "removeComments", "removeMetadata", "removeEditorsNSData"],
  }).data;

function inFewestBytes(plain: string): string {
  return loadSvgo().optimize(plain, {
    multipass: true,
    plugins: [
      {
        name: "preset-default",
        params: {
          overrides: {
            cleanupIds: false,
            removeHiddenElems: false,
            removeUnknownsAndDefaults: { keepRoleAttr: true },
            // Rules for dark mode, pointers and scripts apply only at times.
            inlineStyles: false,
            minifyStyles: { usage: false },
            ...(hasRules.test(plain) || hasAnimations.test(plain) ? elementsStay : {}),
            ...(hasAnimations.test(plain) ? attributesStay : {}),
          },
        },
      },
    ],
  }).data;
}

async function drawsAlike(plain: string, minified: string): Promise<boolean> {
  try {
    const [before, after] = [await drawn(plain), await drawn(minified)];
    return before.width === after.width && before.height === after.height && ssimulacra2(before, after) >= sameFrom;
  } catch {
    return false; // a result that cannot be rendered is not proven equal
  }
}

/** Passed as bytes, so that it cannot reference files or the network. */
async function drawn(text: string) {
  const drawable = await drawableSvg(text);
  const { data, info } = await sharp(Buffer.from(drawable.text), { limitInputPixels: false })
    .resize({ width: comparedSide, height: comparedSide, fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 4 as const };
}
