import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { dayOf } from "../../lib/day-steps.ts";
import { TextField } from "../../ui/field.tsx";
import { FileButton } from "../../ui/file-button.tsx";

const monthOf = (today: Date, monthsAgo: number): { from: string; to: string } => {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - monthsAgo];
  return { from: dayOf(Date.UTC(year, month, 1)), to: dayOf(Date.UTC(year, month + 1, 0)) };
};

/** Invoices and credit notes as a file for the accountant; defaults to last month. */
export function InvoiceExport() {
  const api = useApi();
  const [span, setSpan] = useState(() => monthOf(new Date(), 1));
  return (
    <section aria-labelledby="invoices" className="max-w-xl">
      <h2 id="invoices" className="text-2xl">
        Invoices
      </h2>
      <p className="mt-2 text-muted">
        Invoices and credit notes issued on these days, one per line. Amounts of credit notes are negative.
      </p>
      <div className="mt-6 grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          value={span.from}
          onChange={({ target }) => setSpan({ ...span, from: target.value })}
        />
        <TextField
          label="Last day"
          type="date"
          value={span.to}
          onChange={({ target }) => setSpan({ ...span, to: target.value })}
        />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <FileButton
          label="Download CSV"
          defaultName="invoices.csv"
          open={() => api.open("GET /admin/invoices.csv", { query: span })}
        />
      </div>
    </section>
  );
}
