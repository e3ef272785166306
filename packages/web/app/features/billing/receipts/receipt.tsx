import { fileNameOf, paymentSheetOf, type Transaction } from "@tintype/contract";
import type { Api } from "@tintype/contract/api";
import { type ReactNode, useCallback } from "react";
import { Link } from "react-router";
import { useApi } from "../../../lib/api/context.tsx";
import { brand } from "../../../lib/brand.ts";
import { useRead } from "../../../lib/use-read.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { FileButton } from "../../../ui/file-button.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";

type Props = { id: string; buyer: { name: string; email: string } };

/** A payment's receipt, for the screen and for print. */
export function Receipt({ id, buyer }: Props) {
  const api = useApi();
  const { data: transaction, problem } = useRead(useCallback((signal) => findTransaction(api, id, signal), [api, id]));
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-3 print:hidden">
        <Link to="/account/transactions" className={buttonClasses()}>
          All transactions
        </Link>
        {transaction && (
          <>
            <FileButton
              kind="primary"
              label="Download PDF"
              defaultName={`${fileNameOf(brand.name)}-receipt.pdf`}
              open={() => api.open("GET /transactions/{id}/receipt.pdf", { params: { id } })}
            />
            <Button onClick={() => window.print()}>Print</Button>
          </>
        )}
      </div>
      {transaction ? (
        <Sheet transaction={transaction} buyer={buyer} />
      ) : (
        <p role="status" className="text-muted">
          {problem ?? (transaction === null ? "You have no payment with this ID." : "Loading...")}
        </p>
      )}
    </>
  );
}

/** One payment by its id, from any page of the list; null if there is none. */
async function findTransaction(api: Api, id: string, signal: AbortSignal): Promise<Transaction | null> {
  let before: string | undefined;
  do {
    const page = await api.call("GET /transactions", { query: { before, size: 100 }, signal });
    const found = page.transactions.find((one) => one.id === id);
    if (found) return found;
    before = page.next ?? undefined;
  } while (before);
  return null;
}

function Sheet({ transaction, buyer }: { transaction: Transaction } & Pick<Props, "buyer">) {
  const { title, notice, facts, item, amount, total, returned, closing, ...sheet } = paymentSheetOf(transaction, {
    product: brand.name,
    seller: brand.entity ?? brand.name,
    address: brand.address,
    buyer,
  });
  return (
    <article
      aria-labelledby="receipt"
      className="max-w-2xl rounded-lg border border-line bg-surface p-8 sm:p-12 print:max-w-none print:border-0 print:p-0"
    >
      <header className="flex items-baseline justify-between gap-4">
        <Wordmark className="text-3xl" />
        <h2 id="receipt" className="text-2xl">
          {title}
        </h2>
      </header>
      {notice && <p className="mt-4 text-sm font-medium">{notice}</p>}
      <dl className="mt-10 grid gap-x-8 gap-y-6 text-sm sm:grid-cols-2 print:grid-cols-2">
        <Fact name={sheet.buyer.label}>
          {sheet.buyer.name}
          <br />
          {sheet.buyer.email}
        </Fact>
        {facts.map(({ label, value }) => (
          <Fact key={label} name={label}>
            {value}
          </Fact>
        ))}
      </dl>
      <table className="mt-10 w-full text-left">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th scope="col" className="py-2 font-medium">
              What
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-line">
            <td className="py-3">{item}</td>
            <td className="py-3 text-right">{amount}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="py-4 font-medium">
              {total.label}
            </th>
            <td className="py-4 text-right text-xl font-medium">
              {amount} <span className="text-sm font-normal text-muted">{total.currency}</span>
            </td>
          </tr>
          {returned && (
            <tr>
              <th scope="row" className="py-2 font-medium">
                {returned.label}
              </th>
              <td className="py-2 text-right">{returned.amount}</td>
            </tr>
          )}
        </tfoot>
      </table>
      <p className="mt-6 text-sm text-muted">{closing}</p>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="mt-1 whitespace-pre-line wrap-anywhere">{children}</dd>
    </div>
  );
}
