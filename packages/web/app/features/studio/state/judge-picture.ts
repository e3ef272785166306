import { limits, planLabels, planNames, scaleFactors } from "@tintype/contract";
import { formatBytes, formatNumber } from "../../../lib/size.ts";
import { fieldValue } from "./form-fields.ts";
import type { Remedy } from "./obstacle.ts";
import type { Picture } from "./picture.ts";
import { isRecipe } from "./steps.ts";
import { limitsOf, type StudioState } from "./studio-state.ts";

/** Why a picture cannot go to the chosen tool, and what would help. */
export type Verdict = { sentence: string; remedies: readonly Remedy[] };
type Circumstances = Pick<StudioState, "tool" | "settings" | "steps" | "allowance" | "caller">;
type LimitName = "megabytesPerFile" | "megapixelsIn" | "megapixelsOut";

/** Judges a picture by its bytes, by what the server said of it, and by the caller's limits; undefined where it can go. */
export function judgePicture(picture: Picture, circumstances: Circumstances): Verdict | undefined {
  const { name, sizeBytes, sides, fault } = picture;
  if (fault) return { sentence: fault, remedies: [] };
  const own = limitsOf(circumstances);
  if (!own || !picture.file) return undefined;
  const { tier, limits: limit } = own;
  const who = onWhosePlan(tier);
  const larger = (name: LimitName, needed: number) => largerTier({ tier, name, needed });

  if (sizeBytes > limit.megabytesPerFile * 1e6)
    return {
      sentence: `${who}, an image can be up to ${limit.megabytesPerFile} MB; ${name} is ${formatBytes(sizeBytes)}.`,
      remedies: larger("megabytesPerFile", sizeBytes / 1e6),
    };
  if (!sides) return undefined;
  const megapixels = (sides.widthPx * sides.heightPx) / 1e6;
  if (megapixels > limit.megapixelsIn)
    return {
      sentence: `${who}, an image can be up to ${limit.megapixelsIn} megapixels; ${name} is ${rounded(megapixels)}.`,
      remedies: larger("megapixelsIn", megapixels),
    };
  // Steps before it change the size that is enlarged: the server judges what comes to it.
  if (circumstances.tool !== "upscale" || isRecipe(circumstances)) return undefined;
  const settings = picture.own?.upscale ?? circumstances.settings.upscale;
  const scaleFactor = Number(fieldValue("upscale", settings, "scale_factor"));
  const enlarged = megapixels * scaleFactor ** 2;
  if (enlarged <= limit.megapixelsOut) return undefined;
  const fitting = scaleFactors.filter((factor) => megapixels * factor ** 2 <= limit.megapixelsOut).at(-1);
  return {
    sentence: `${who}, a result can be up to ${limit.megapixelsOut} megapixels; ${name} would be ${rounded(enlarged)}.`,
    remedies: [
      ...(fitting ? [{ kind: "factor", factor: fitting } as const] : []),
      ...larger("megapixelsOut", enlarged),
    ],
  };
}

/** `On the Mini plan`, `Without an account`. */
export const onWhosePlan = (tier: keyof typeof limits): string =>
  tier === "guest" ? "Without an account" : `On the ${planLabels[tier]} plan`;

/** The way to the first tier whose limit is high enough; none where no plan's is. */
function largerTier({ tier, name, needed }: { tier: keyof typeof limits; name: LimitName; needed: number }): Remedy[] {
  const plan = planNames.find((one) => limits[one][name] >= needed);
  if (!plan) return [];
  const most = `${formatNumber(limits[plan][name])} ${name === "megabytesPerFile" ? "MB" : "megapixels"}`;
  if (plan === "hobby") return tier === "guest" ? [{ kind: "sign-up", label: `Sign up for ${most}` }] : [];
  return [{ kind: "link", to: "/pricing", label: `${planLabels[plan]}: ${most}` }];
}

const rounded = (megapixels: number) =>
  megapixels < 10 ? megapixels.toFixed(1) : formatNumber(Math.round(megapixels));
