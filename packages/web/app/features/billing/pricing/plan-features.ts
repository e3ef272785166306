import { limits, type PlanName } from "@tintype/contract";
import { formatNumber } from "../../../lib/size.ts";

/** The features of a plan, one line each, from the one table of limits. */
export function featuresOf(plan: PlanName): readonly string[] {
  const { credits, window, fastLanePerDay, filesPerBatch, megabytesPerFile, megapixelsIn } = limits[plan];
  return [
    `${formatNumber(credits)} credits ${window === "day" ? "a day" : "a month"}`,
    ...(fastLanePerDay > 0 ? [`${formatNumber(fastLanePerDay)} fast premium requests a day`] : []),
    `${filesPerBatch} files at a time`,
    `${megabytesPerFile} MB and ${megapixelsIn} megapixels a picture`,
    ...extras[plan],
  ];
}

/** Features of docs/product.md that are no figures. */
const extras: Record<PlanName, readonly string[]> = {
  hobby: ["All five tools"],
  mini: ["All five tools"],
  plus: ["AI upscaling and cut-outs in the fast lane", "Fast processing of many files"],
  pro: ["All of Plus", "Early access to what comes next"],
};
