import { formatDay, formatPrice, planLabels, type Transaction } from "@tintype/contract";
import { Link } from "react-router";
import { useApi } from "../../../lib/api/context.tsx";
import type { Loader } from "../../../lib/use-pages.ts";
import { PagedList } from "../../../ui/paged-list.tsx";
import { Scrollable } from "../../../ui/scrollable.tsx";

/** On a phone, what is a column elsewhere stands below the value it belongs to. */
const wideOnly = "hidden md:table-cell";
const narrowOnly = "block text-xs text-muted md:hidden";

const statuses: Record<Transaction["status"], string> = { captured: "Paid", failed: "Failed", refunded: "Refunded" };

/** Every payment, newest first. */
export function TransactionList() {
  const api = useApi();
  const load: Loader<Transaction> = async (before, signal) => {
    const { transactions, next } = await api.call("GET /transactions", { query: { before, size: 20 }, signal });
    return { rows: transactions, next };
  };
  const none = (
    <>
      No payments yet. They appear here once you{" "}
      <Link to="/pricing" className="underline underline-offset-2 hover:text-ink">
        choose a paid plan
      </Link>
      .
    </>
  );
  return (
    <PagedList load={load} none={none}>
      {(rows) => <Table rows={rows} />}
    </PagedList>
  );
}

function Table({ rows }: { rows: readonly Transaction[] }) {
  const isAllTest = rows.every((row) => row.is_test);
  return (
    <>
      {isAllTest && <p className="mb-4 text-sm font-medium">Test mode: no money was charged.</p>}
      <Scrollable className="scroll-x" label="Payments">
        <table>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Plan</th>
              <th scope="col" className={wideOnly}>
                Billing
              </th>
              <th scope="col">Amount</th>
              <th scope="col" className={wideOnly}>
                Currency
              </th>
              <th scope="col">Status</th>
              <th scope="col" className={wideOnly}>
                Payment ID
              </th>
              <th scope="col">
                <span className="sr-only">Receipt</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} isMarked={row.is_test && !isAllTest} />
            ))}
          </tbody>
        </table>
      </Scrollable>
    </>
  );
}

/** `isMarked`: made in test mode, in a list that also has real payments. */
function Row({ row, isMarked }: { row: Transaction; isMarked: boolean }) {
  const { id, at, plan, billing_cycle, amount_minor, refunded_minor, currency, status } = row;
  return (
    <tr>
      <td className="md:whitespace-nowrap">
        <time dateTime={at}>{formatDay(at)}</time>
        <span className={`${narrowOnly} wrap-anywhere`}>{id}</span>
      </td>
      <td>
        {planLabels[plan]}
        <span className={`${narrowOnly} capitalize`}>{billing_cycle}</span>
      </td>
      <td className={`${wideOnly} capitalize`}>{billing_cycle}</td>
      <td>
        {formatPrice({ amountMinor: amount_minor, currency })}
        <span className={narrowOnly}>{currency}</span>
      </td>
      <td className={wideOnly}>{currency}</td>
      <td className={status === "failed" ? "text-accent-ink" : undefined}>
        {statuses[status]}
        {isMarked && <span className="block text-xs text-muted">Test: no money was charged</span>}
        {status === "captured" && refunded_minor > 0 && (
          <span className="block text-xs text-muted">
            {formatPrice({ amountMinor: refunded_minor, currency })} refunded
          </span>
        )}
      </td>
      <td className={`${wideOnly} text-muted`}>{id}</td>
      <td className="text-right">
        {status !== "failed" && (
          <Link
            to={`/account/transactions?receipt=${encodeURIComponent(id)}`}
            aria-label={`Receipt of ${formatDay(at)}`}
            className="underline underline-offset-2 hover:text-accent-ink"
          >
            Receipt
          </Link>
        )}
      </td>
    </tr>
  );
}
