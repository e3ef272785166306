import { limits, planLabels, planNames, scaleFactors } from "@tintype/contract";
import { formatBytes, formatNumber } from "../../../lib/size.ts";
import { fieldValue } from "./form-fields.ts";
import { framedSides, type Sides } from "./frame.ts";
import type { Remedy } from "./obstacle.ts";
import type { Picture } from "./picture.ts";
import { isRecipe } from "./steps.ts";
import { limitsOf, type StudioState } from "./studio-state.ts";

/** Why a picture cannot be sent to the chosen tool, and what would help. */
export type Verdict = { sentence: string; remedies: readonly Remedy[] };
type Circumstances = Pick<StudioState, "tool" | "settings" | "steps" | "allowance" | "caller">;
type LimitName = "megabytesPerFile" | "megapixelsIn" | "megapixelsOut";

/** Checks a picture's known fault and the caller's limits; undefined if it can be sent. */
export function judgePicture(picture: Picture, circumstances: Circumstances): Verdict | undefined {
  const { name, sizeBytes, sides, fault } = picture;
  if (fault) return { sentence: fault, remedies: [] };
  const callerLimits = limitsOf(circumstances);
  if (!callerLimits || !picture.file) return undefined;
  const { tier, limits: limit } = callerLimits;
  const plan = planPhrase(tier);
  const larger = (name: LimitName, needed: number) => largerTier({ tier, name, needed });

  if (sizeBytes > limit.megabytesPerFile * 1e6)
    return {
      sentence: `${plan}, an image can be up to ${limit.megabytesPerFile} MB; ${name} is ${formatBytes(sizeBytes)}.`,
      remedies: larger("megabytesPerFile", sizeBytes / 1e6),
    };
  if (!sides) return undefined;
  const megapixels = megapixelsOf(sides);
  if (megapixels > limit.megapixelsIn)
    return {
      sentence: `${plan}, an image can be up to ${limit.megapixelsIn} megapixels; ${name} is ${rounded(megapixels)}.`,
      remedies: larger("megapixelsIn", megapixels),
    };
  // In a recipe earlier steps change the input size of an upscale, so the server checks it.
  if (circumstances.tool !== "upscale" || isRecipe(circumstances)) return undefined;
  const settings = picture.customOptions?.upscale ?? circumstances.settings.upscale;
  const scaleFactor = Number(fieldValue("upscale", settings, "scale_factor"));
  const framed = megapixelsOf(framedSides(sides, picture.frame));
  const enlarged = framed * scaleFactor ** 2;
  if (enlarged <= limit.megapixelsOut) return undefined;
  const fitting = scaleFactors.filter((factor) => framed * factor ** 2 <= limit.megapixelsOut).at(-1);
  return {
    sentence: `${plan}, a result can be up to ${limit.megapixelsOut} megapixels; ${name} would be ${rounded(enlarged)}.`,
    remedies: [
      ...(fitting ? [{ kind: "factor", factor: fitting } as const] : []),
      ...larger("megapixelsOut", enlarged),
    ],
  };
}

/** `On the Mini plan`, `Without an account`. Where nothing is sold, plans have no names. */
export const planPhrase = (tier: keyof typeof limits): string =>
  tier === "guest" ? "Without an account" : planLabels[tier] ? `On the ${planLabels[tier]} plan` : "Here";

/** A remedy that leads to the first tier with a high enough limit; none if no plan has one. */
function largerTier({ tier, name, needed }: { tier: keyof typeof limits; name: LimitName; needed: number }): Remedy[] {
  const plan = planNames.find((one) => limits[one][name] >= needed);
  if (!plan) return [];
  const limit = `${formatNumber(limits[plan][name])} ${name === "megabytesPerFile" ? "MB" : "megapixels"}`;
  if (plan === "hobby") return tier === "guest" ? [{ kind: "sign-up", label: `Sign up for ${limit}` }] : [];
  return [{ kind: "link", to: "/pricing", label: `${planLabels[plan]}: ${limit}` }];
}

const megapixelsOf = ({ widthPx, heightPx }: Sides) => (widthPx * heightPx) / 1e6;

const rounded = (megapixels: number) =>
  megapixels < 10 ? megapixels.toFixed(1) : formatNumber(Math.round(megapixels));
