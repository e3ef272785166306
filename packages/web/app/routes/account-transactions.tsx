import { useLocation } from "react-router";
import { InvoiceSection } from "../features/billing/invoices/invoice-section.tsx";
import { Receipt } from "../features/billing/receipts/receipt.tsx";
import { TransactionList } from "../features/billing/receipts/transaction-list.tsx";
import { isPrivate, useOperator } from "../lib/brand.ts";
import { unlistedMeta } from "../lib/seo.ts";
import { GoTo } from "../ui/go-to.tsx";
import { AccountPage } from "./account-page.tsx";

function Payments() {
  const { issues_invoices } = useOperator();
  return (
    <>
      <TransactionList />
      {issues_invoices && <InvoiceSection />}
    </>
  );
}

export const meta = () => unlistedMeta("Transactions");

export default function AccountTransactions() {
  const receipt = new URLSearchParams(useLocation().search).get("receipt");
  if (isPrivate) return <GoTo path="/account" />;
  return (
    <AccountPage title="Transactions">
      {(person) => (
        <div className="pt-4 print:p-0">
          {receipt ? <Receipt key={receipt} id={receipt} buyer={person} /> : <Payments />}
        </div>
      )}
    </AccountPage>
  );
}
