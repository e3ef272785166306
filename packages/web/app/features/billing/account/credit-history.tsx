import { type CreditLine, tasks } from "@tintype/contract";
import { useApi } from "../../../lib/api/context.tsx";
import { isPrivate } from "../../../lib/brand.ts";
import { countCredits } from "../../../lib/count-credits.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { countOf } from "../../../lib/size.ts";
import type { Loader } from "../../../lib/use-pages.ts";
import { PagedList } from "../../../ui/paged-list.tsx";
import { Scrollable } from "../../../ui/scrollable.tsx";

const pageSize = 10;

/** How credits were used, one line per run. */
export function CreditHistory() {
  const api = useApi();
  const load: Loader<CreditLine> = async (before, signal) => {
    const { lines, next } = await api.call("GET /credits/history", { query: { before, size: pageSize }, signal });
    return { rows: lines, next };
  };
  return (
    <section aria-labelledby="credits" className="mt-16">
      <h2 id="credits" className="text-2xl">
        {isPrivate ? "History" : "Credit history"}
      </h2>
      <PagedList load={load} none={isPrivate ? "Nothing was done yet." : "No credits used yet."} noteClassName="mt-4">
        {(rows) => (
          <Scrollable className="scroll-x mt-4" label={`${isPrivate ? "History" : "Credit history"}, entry by entry`}>
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">What</th>
                  <th scope="col" className="text-right">
                    {isPrivate ? "Uses" : "Credits"}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((line) => (
                  <Line key={line.id} line={line} />
                ))}
              </tbody>
            </table>
          </Scrollable>
        )}
      </PagedList>
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
        <time dateTime={at}>{formatMoment(at)}</time>
      </td>
      <td>
        {what.filter(Boolean).join(", ")}
        {[file, returned(line), reason === "continued" ? "A further step on a result" : reason].map(
          (words) =>
            words && (
              <span key={words} className="block text-sm wrap-anywhere text-muted">
                {words}
              </span>
            ),
        )}
      </td>
      <td className="text-right whitespace-nowrap">
        {isPrivate ? credits - given_back : signed(given_back - credits)}
      </td>
    </tr>
  );
}

const returned = ({ files, given_back }: CreditLine): string =>
  given_back === 0 || isPrivate ? "" : files === 1 ? "Returned" : `${countCredits(given_back)} returned`;

/** Formatted like a balance, with a real minus sign. */
const signed = (change: number): string => {
  if (change === 0) return "0";
  return change > 0 ? `+${change}` : `−${-change}`;
};
