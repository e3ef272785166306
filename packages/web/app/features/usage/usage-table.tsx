import type { UsageRow } from "@tintype/contract";
import { isPrivate } from "../../lib/brand.ts";
import { labelOf } from "../../lib/day-steps.ts";
import { formatNumber } from "../../lib/size.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import { keyLabel, keyValue, toolLabel } from "./sum-usage.ts";

/** Maximum number of rows: a year of many keys is what the CSV is for. */
const maxRows = 200;

/** Every row of the chart as a table, newest day first. */
export function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  const shown = rows.toReversed().slice(0, maxRows);
  return (
    <details className="mt-12">
      <summary className="w-fit cursor-pointer rounded-sm text-sm underline underline-offset-2 hover:text-accent-ink">
        Day by day
      </summary>
      <Scrollable className="scroll-x mt-4" label="Usage day by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Tool</th>
              <th scope="col">Key</th>
              <th scope="col" className="text-right">
                Images
              </th>
              <th scope="col" className="text-right">
                {isPrivate ? "Uses" : "Credits"}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={`${row.day} ${row.operation} ${keyValue(row)}`}>
                <td className="whitespace-nowrap">
                  <time dateTime={row.day}>{labelOf(row.day)}</time>
                </td>
                <td>{toolLabel(row.operation)}</td>
                <td className="wrap-anywhere">{keyLabel(row)}</td>
                <td className="text-right">{formatNumber(row.files)}</td>
                <td className="text-right">{formatNumber(row.credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {rows.length > maxRows && (
        <p className="mt-3 text-sm text-muted">The latest {maxRows} rows. The CSV has all of them.</p>
      )}
    </details>
  );
}
