import { type Limits, limits, planLabels, type TierName, tierNames } from "@tintype/contract";
import { planFact } from "../../lib/plan-fact.ts";
import { Scrollable } from "../../ui/scrollable.tsx";

const windowWords = { ever: "for good", month: "a month", day: "a day" } as const;

const rows: ReadonlyArray<{ label: string; value(of: TierName): string }> = [
  { label: "Credits", value: (tier) => `${limit(tier, "credits")} ${windowWords[limits[tier].window]}` },
  {
    label: "Fast lane, files a day",
    value: (tier) => (limits[tier].fastLanePerDay === 0 ? "–" : limit(tier, "fastLanePerDay")),
  },
  { label: "Files in a batch", value: (tier) => limit(tier, "filesPerBatch") },
  { label: "Megabytes a file", value: (tier) => limit(tier, "megabytesPerFile") },
  { label: "Megapixels in", value: (tier) => limit(tier, "megapixelsIn") },
  { label: "Megapixels out (upscale)", value: (tier) => limit(tier, "megapixelsOut") },
];

const limit = (tier: TierName, name: Exclude<keyof Limits, "window">): string =>
  planFact(`${tier}.${name}`, limits[tier][name]);

/** The one table of limits, as the server enforces it. */
export function LimitsTable() {
  return (
    <Scrollable label="Limits by plan" className="scroll-x mt-4">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Limit</span>
            </th>
            {tierNames.map((tier) => (
              <th key={tier} scope="col" className="text-right">
                {tier === "guest" ? "Guest" : planFact(`${tier}.label`, planLabels[tier])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {tierNames.map((tier) => (
                <td key={tier} className="text-right whitespace-nowrap">
                  {value(tier)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
