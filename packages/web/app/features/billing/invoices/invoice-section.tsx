import { useCallback } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { useRead } from "../../../lib/use-read.ts";
import { Button } from "../../../ui/button.tsx";
import { DetailsForm } from "./details-form.tsx";
import { InvoiceList } from "./invoice-list.tsx";

/** The person's invoices and their recipient. */
export function InvoiceSection() {
  const api = useApi();
  const { data, problem, read } = useRead(
    useCallback((signal: AbortSignal) => api.call("GET /billing-details", { signal }), [api]),
  );
  return (
    <>
      <section aria-labelledby="invoices" className="mt-14">
        <h2 id="invoices" className="mb-4 text-2xl">
          Invoices
        </h2>
        <InvoiceList />
      </section>
      <section aria-labelledby="billing-details" className="mt-14 max-w-xl">
        <h2 id="billing-details" className="text-2xl">
          Billing details
        </h2>
        <p className="mt-2 mb-6 text-pretty text-muted">
          For invoices to a company. They appear on invoices issued from now on, and stay on those invoices if you
          delete your account, because accounting law requires it.
        </p>
        {data && <DetailsForm details={data.details} onChanged={read} />}
        {problem && (
          <div role="alert">
            <p className="text-sm text-accent-ink">{problem}</p>
            <Button className="mt-3" onClick={() => void read()}>
              Try again
            </Button>
          </div>
        )}
      </section>
    </>
  );
}
