import { type CreditLine, tasks } from "@tintype/contract";
import { useCallback } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { countOf } from "../../../lib/size.ts";
import { usePages } from "../../../lib/use-pages.ts";
import { MoreRows } from "../../../ui/more-rows.tsx";

const pageSize = 10;

/** How credits were used, one line per run. */
export function CreditHistory() {
  const api = useApi();
  const load = useCallback(
    async (before: string | undefined, signal: AbortSignal) => {
      const { lines, next } = await api.call("GET /credits/history", { query: { before, size: pageSize }, signal });
      return { rows: lines, next };
    },
    [api],
  );
  const { rows, ...rest } = usePages<CreditLine>(load);
  return (
    <section aria-labelledby="credits" className="mt-16">
      <h2 id="credits" className="text-2xl">
        Credit history
      </h2>
      {rows?.length === 0 && <p className="mt-4 text-muted">No credits used yet.</p>}
      {!rows && rest.isLoading && <p className="mt-4 text-muted">Loading...</p>}
      {rows && rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className="scroll-x mt-4" aria-label="Credit history, entry by entry" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col" className="text-right">
                  Credits
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <MoreRows {...rest} />
    </section>
  );
}

const changes: Record<CreditLine["change"], string> = {
  charged: "",
  reserved: "Reserved",
  lapsed: "Reservation expired",
  carried: "Carried over from a deleted account",
  adjusted: "Adjusted by our team",
};

function Line({ line }: { line: CreditLine }) {
  const { at, operation, change, files, file, credits, given_back, reason } = line;
  const what = [operation ? tasks[operation].label : "", files > 1 ? countOf(files, "file") : "", changes[change]];
  return (
    <tr>
      <td className="w-32 text-muted md:w-48 md:whitespace-nowrap">
        <time dateTime={at}>{timeText(at)}</time>
      </td>
      <td>
        {what.filter(Boolean).join(", ")}
        {[file, returned(line), reason].map(
          (words) =>
            words && (
              <span key={words} className="block text-sm wrap-anywhere text-muted">
                {words}
              </span>
            ),
        )}
      </td>
      <td className="text-right whitespace-nowrap">{signed(given_back - credits)}</td>
    </tr>
  );
}

const returned = ({ files, given_back }: CreditLine): string =>
  given_back === 0 ? "" : files === 1 ? "Returned" : `${countOf(given_back, "credit")} returned`;

const timeText = (at: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** Formatted like a balance, with a real minus sign. */
const signed = (change: number): string => {
  if (change === 0) return "0";
  return change > 0 ? `+${change}` : `−${-change}`;
};
