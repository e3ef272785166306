import { type Limits, limits, planLabels, type TierName } from "@tintype/contract";
import { Scrollable } from "../../ui/scrollable.tsx";

const tiers = Object.keys(limits) as TierName[]; // its keys are the tiers
const windowWords = { ever: "for good", month: "a month", day: "a day" } as const;

const rows: ReadonlyArray<{ label: string; value(of: Limits): string }> = [
  { label: "Credits", value: ({ credits, window }) => `${number(credits)} ${windowWords[window]}` },
  {
    label: "Fast lane, files a day",
    value: ({ fastLanePerDay }) => (fastLanePerDay === 0 ? "–" : number(fastLanePerDay)),
  },
  { label: "Files in a batch", value: ({ filesPerBatch }) => number(filesPerBatch) },
  { label: "Megabytes a file", value: ({ megabytesPerFile }) => number(megabytesPerFile) },
  { label: "Megapixels in", value: ({ megapixelsIn }) => number(megapixelsIn) },
  { label: "Megapixels out (upscale)", value: ({ megapixelsOut }) => number(megapixelsOut) },
];

const number = (value: number) => value.toLocaleString("en");

/** The one table of limits, as it is enforced. */
export function LimitsTable() {
  return (
    <Scrollable label="Limits by plan" className="scroll-x mt-4">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Limit</span>
            </th>
            {tiers.map((tier) => (
              <th key={tier} scope="col" className="text-right">
                {tier === "guest" ? "Guest" : planLabels[tier]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {tiers.map((tier) => (
                <td key={tier} className="text-right whitespace-nowrap">
                  {value(limits[tier])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
