import { formatDay, formatPrice, type Invoice } from "@tintype/contract";
import { useApi } from "../../../lib/api/context.tsx";
import type { Loader } from "../../../lib/use-pages.ts";
import { FileButton } from "../../../ui/file-button.tsx";
import { PagedList } from "../../../ui/paged-list.tsx";

const kinds: Record<Invoice["kind"], string> = { invoice: "Invoice", "credit-note": "Credit note" };

/** Invoices and credit notes, newest first, each as PDF. */
export function InvoiceList() {
  const api = useApi();
  const load: Loader<Invoice> = async (before, signal) => {
    const { invoices, next } = await api.call("GET /invoices", { query: { before, size: 20 }, signal });
    return { rows: invoices, next };
  };
  return (
    <PagedList load={load} none="No invoices yet. One appears here shortly after each payment.">
      {(rows) => (
        <ul className="divide-y divide-line border-y border-line">
          {rows.map((invoice) => (
            <Row key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function Row({ invoice: { id, number, kind, issued_at, total_minor, currency } }: { invoice: Invoice }) {
  const api = useApi();
  const amountMinor = kind === "credit-note" ? -total_minor : total_minor;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48">
        <p className="font-medium wrap-anywhere">{number}</p>
        <p className="text-sm text-muted">
          {kinds[kind]}, {formatDay(issued_at)}
        </p>
      </div>
      <p>{formatPrice({ amountMinor, currency })}</p>
      <FileButton
        label="PDF"
        description={`PDF of ${kinds[kind].toLowerCase()} ${number}`}
        defaultName="invoice.pdf"
        open={() => api.open("GET /invoices/{id}/invoice.pdf", { params: { id } })}
      />
    </li>
  );
}
