import { countOf } from "../../../lib/size.ts";
import { leftOf } from "../state/credit-use.ts";
import { costOf, priceOf } from "../state/to-send.ts";
import { useStudioState } from "../studio-context.tsx";

/** The price of a submit and the credits there are, before it is pressed. Default export: it is loaded by `lazy`. */
export default function Cost({ className }: { className: string }) {
  const cost = useStudioState(costOf);
  const isKnown = useStudioState(({ knownIds }) => knownIds.size > 0);
  const left = useStudioState(leftOf);
  const each = useStudioState(priceOf);
  const isEmpty = useStudioState(({ pictures }) => pictures.length === 0);
  const price = isEmpty
    ? `${countOf(each, "credit")} a picture`
    : cost === 0 && isKnown
      ? "No credit: already done"
      : countOf(cost, "credit");
  return <p className={className}>{[price, left].filter(Boolean).join(" · ")}</p>;
}
