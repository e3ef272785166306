import { billedIn, type Currency, text } from "@tintype/contract";
import { useEffect, useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { useToasts } from "../../../ui/toast-area.tsx";

/** The currency of the visitor's location, or the default currency if that cannot be determined; undefined while loading. */
export function useCurrency(): Currency | undefined {
  const api = useApi();
  const notify = useToasts();
  const [currency, setCurrency] = useState<Currency>();
  useEffect(() => {
    const asking = new AbortController();
    api.call("GET /get-location", { signal: asking.signal }).then(
      (place) => setCurrency(place.currency),
      () => {
        if (asking.signal.aborted) return;
        notify.error(text.locationFailed);
        setCurrency(billedIn.other);
      },
    );
    return () => asking.abort();
  }, [api, notify]);
  return currency;
}
