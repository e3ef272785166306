import type { ReportInterval } from "@tintype/contract";
import type { Step } from "../../lib/day-steps.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import { sumOf } from "./figure-series.ts";

export type Column = { label: string; values: readonly number[]; write(value: number): string };

type Props = { label: string; by: ReportInterval; steps: readonly Step[]; columns: readonly Column[] };

/** Every number of a plot, newest step first; steps with only zeros are left out. */
export function FigureTable({ label, by, steps, columns }: Props) {
  const rows = steps
    .map((step, index) => ({ ...step, cells: columns.map(({ values }) => values[index] ?? 0) }))
    .filter(({ cells }) => cells.some((value) => value !== 0))
    .toReversed();
  return (
    <details className="mt-4">
      <summary className="w-fit cursor-pointer rounded-sm text-sm underline underline-offset-2 hover:text-accent-ink">
        {by === "day" ? "Day by day" : "Month by month"}
        <span className="sr-only">: {label}</span>
      </summary>
      <Scrollable label={label} className="scroll-x mt-4">
        <table>
          <thead>
            <tr>
              <th scope="col">{by === "day" ? "Day" : "Month"}</th>
              {columns.map((column) => (
                <th key={column.label} scope="col" className="text-right">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.step}>
                <th scope="row" className="font-normal whitespace-nowrap">
                  <time dateTime={row.step}>{row.label}</time>
                </th>
                {columns.map((column, index) => (
                  <td key={column.label} className="text-right whitespace-nowrap">
                    {column.write(row.cells[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {columns.map((column) => (
                <td key={column.label} className="text-right font-medium whitespace-nowrap">
                  {column.write(sumOf(column.values))}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </Scrollable>
    </details>
  );
}
