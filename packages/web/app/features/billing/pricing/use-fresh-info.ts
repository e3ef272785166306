import { text } from "@tintype/contract";
import { useEffect, useEffectEvent } from "react";
import { useToasts } from "../../../ui/toast-area.tsx";
import type { Customer } from "../customer.ts";

const everyMs = 60_000;

/** Refreshes the plan and usage every minute while a person is signed in. */
export function useFreshInfo({ kind, refresh }: Customer): void {
  const notify = useToasts();
  const ask = useEffectEvent(() => {
    refresh().catch(() => notify.error(text.refreshUserFailed));
  });
  useEffect(() => {
    if (kind !== "person") return;
    const asking = setInterval(() => ask(), everyMs);
    return () => clearInterval(asking);
  }, [kind]);
}
