import { planLabels } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Customer } from "./customer.ts";

/** Undoes a cancellation or a scheduled change. */
export function useKeepPlan({ refresh }: Pick<Customer, "refresh">) {
  const api = useApi();
  const notify = useToasts();
  const [isBusy, setIsBusy] = useState(false);

  async function keep() {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const { plan } = await api.call("POST /keep-plan", {});
      notify.success(`You keep ${planLabels[plan]}.`);
    } catch (problem) {
      notify.error(sentenceOf(problem));
    }
    // Also after a refusal, which means that the page is out of date.
    await refresh().catch(() => undefined);
    setIsBusy(false);
  }
  return { isBusy, keep };
}
