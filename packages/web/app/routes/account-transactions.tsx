import { Link, useLocation } from "react-router";
import { Receipt } from "../features/billing/receipts/receipt.tsx";
import { TransactionList } from "../features/billing/receipts/transaction-list.tsx";
import { OnlyForPersons } from "../features/session/account/only-for-persons.tsx";
import { unlistedMeta } from "../lib/seo.ts";

export const meta = () => unlistedMeta("Transactions");

export default function AccountTransactions() {
  const receipt = new URLSearchParams(useLocation().search).get("receipt");
  return (
    <OnlyForPersons>
      {(person) => (
        <div key={person.id} className="page-width pt-10 sm:pt-16 print:p-0">
          <p className="mb-3 text-sm print:hidden">
            <Link to="/account" className="text-muted underline underline-offset-2 hover:text-ink">
              Account
            </Link>
          </p>
          <h1 className="mb-8 text-4xl print:hidden">Transactions</h1>
          {receipt ? <Receipt key={receipt} id={receipt} buyer={person} /> : <TransactionList />}
        </div>
      )}
    </OnlyForPersons>
  );
}
