import { useLocation } from "react-router";
import { Receipt } from "../features/billing/receipts/receipt.tsx";
import { TransactionList } from "../features/billing/receipts/transaction-list.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("Transactions");

export default function AccountTransactions() {
  const receipt = new URLSearchParams(useLocation().search).get("receipt");
  return (
    <AccountPage title="Transactions">
      {(person) => (
        <div className="pt-4 print:p-0">
          {receipt ? <Receipt key={receipt} id={receipt} buyer={person} /> : <TransactionList />}
        </div>
      )}
    </AccountPage>
  );
}
