import { limits, type PlanName, planLabels } from "@tintype/contract";
import { planFact } from "../../../lib/plan-fact.ts";

/** The features of a plan, one line each, from the one table of limits. */
export function featuresOf(plan: PlanName): readonly string[] {
  const { window, fastLanePerDay } = limits[plan];
  const limit = (name: "credits" | "fastLanePerDay" | "filesPerBatch" | "megabytesPerFile" | "megapixelsIn") =>
    planFact(`${plan}.${name}`, limits[plan][name]);
  return [
    `${limit("credits")} credits ${window === "day" ? "a day" : "a month"}`,
    // Which plans have it is the same for every brand.
    ...(fastLanePerDay > 0
      ? [
          `${limit("fastLanePerDay")} fast premium requests a day: images that go ahead of those of guests and smaller plans`,
        ]
      : []),
    `${limit("filesPerBatch")} files at a time`,
    `Up to ${limit("megabytesPerFile")} MB and ${limit("megapixelsIn")} megapixels per image`,
    ...extrasOf(plan),
  ];
}

/** Features of docs/product.md that are not numbers. */
function extrasOf(plan: PlanName): readonly string[] {
  if (plan === "plus") return ["All tools, AI features included", "Fast multi-file processing"];
  if (plan === "pro")
    return [`Everything in ${planFact("plus.label", planLabels.plus)}`, "Early access to new features"];
  return ["All tools, AI features included"];
}
