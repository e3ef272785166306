import sharp from "sharp";
import { ssimulacra2 } from "../../quality/score/ssimulacra2.ts";
import { drawableSvg } from "./drawable.ts";
import { loadSvgo } from "./load-svgo.ts";
import { hidesParts } from "./undrawn.ts";

/** Side of the drawings that are compared, px. */
const comparedSide = 512;
/** The score at which no difference is visible, and a little more. */
const sameFrom = 95;

/** Rules of a style sheet, and animations, name elements and their attributes: they change more than the drawing that is compared. */
const hasRules = /<(?:\w+:)?style[\s/>]/;
const hasAnimations = /<(?:\w+:)?(?:animate\w*|set)[\s/>]|@keyframes/;

/** Each element stays as it is, in its place and with its own attributes. */
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
/** An animation may go on from an attribute's value as it is written. */
const attributesStay = { convertPathData: false, convertTransform: false } as const;

/**
 * The same drawing in less text, by svgo; undefined if its result draws another picture, or cannot be drawn. `plain` is
 * text as `plainSvg` gives it.
 *
 * What the comparison cannot see is not rewritten. Names and undrawn parts stay: a page's styles and scripts may refer to them, and another drawing may use them.
 */
export async function minifySvg(plain: string): Promise<string | undefined> {
  const minified = hidesParts(plain) ? withoutSpareText(plain) : inFewestBytes(plain);
  return (await drawsAlike(plain, minified)) ? minified : undefined;
}

/** Only text that no viewer reads goes; each element and attribute stays. */
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
            // Rules for dark pages, pointers and scripts apply at times only.
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
    return false; // a result that cannot be drawn is not proven to draw the same
  }
}

/** Handed over as bytes, which reach neither file nor network. */
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
