import type { Transaction } from "@tintype/contract";
import type { Api } from "@tintype/contract/api";
import { useCallback } from "react";
import { useApi } from "../../../lib/api/context.tsx";

const pageSize = 20;

/** Loads a person's payments, for `usePages`. */
export function useTransactionLoader() {
  const api = useApi();
  return useCallback(
    async (before: string | undefined, signal: AbortSignal) => {
      const { transactions, next } = await api.call("GET /transactions", { query: { before, size: pageSize }, signal });
      return { rows: transactions, next };
    },
    [api],
  );
}

/** One payment by its id, from any page of the list; undefined if there is none. */
export async function findTransaction(api: Api, id: string, signal: AbortSignal): Promise<Transaction | undefined> {
  let before: string | undefined;
  do {
    const page = await api.call("GET /transactions", { query: { before, size: 100 }, signal });
    const found = page.transactions.find((one) => one.id === id);
    if (found) return found;
    before = page.next ?? undefined;
  } while (before);
  return undefined;
}
