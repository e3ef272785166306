import { limits, type PlanName } from "@tintype/contract";
import { formatNumber } from "../../../lib/size.ts";

/** The features of a plan, one line each, from the one table of limits. */
export function featuresOf(plan: PlanName): readonly string[] {
  const { credits, window, fastLanePerDay, filesPerBatch, megabytesPerFile, megapixelsIn } = limits[plan];
  return [
    `${formatNumber(credits)} credits ${window === "day" ? "a day" : "a month"}`,
    ...(fastLanePerDay > 0 ? [`${formatNumber(fastLanePerDay)} fast premium requests a day`] : []),
    `${filesPerBatch} files at a time`,
    `Up to ${megabytesPerFile} MB and ${megapixelsIn} megapixels per image`,
    ...extras[plan],
  ];
}

/** Features of docs/product.md that are no figures. */
const extras: Record<PlanName, readonly string[]> = {
  hobby: ["All five tools"],
  mini: ["All five tools"],
  plus: ["AI tools and fast multi-file processing"],
  pro: ["Everything in Plus", "Early access to new features"],
};
