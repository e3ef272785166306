import { formatDay, planLabels, text, type UserInfo } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Customer } from "../customer.ts";

type Props = { info: UserInfo; refresh: Customer["refresh"] };

/** The link, and a dialog that states the consequences. */
export function CancelSubscription({ info, refresh }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="rounded-sm py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
      >
        Cancel Subscription
      </button>
      <CancelDialog {...{ info, refresh, isOpen }} onClose={() => setIsOpen(false)} />
    </>
  );
}

/** States what ends and when, before it is cancelled. */
export function CancelDialog({ info, refresh, isOpen, onClose }: Props & { isOpen: boolean; onClose(): void }) {
  const { isBusy, cancel } = useCancel({ info, refresh });
  const label = planLabels[info.paid_plan];
  return (
    <Dialog title="Cancel Subscription" isOpen={isOpen} onClose={onClose}>
      <p className="text-pretty">{consequence(info)}</p>
      <p className="mt-3 text-sm text-pretty text-muted">
        Fees are non-refundable unless the law requires it.
        {info.subscription_status !== "past_due" && " Until then, you can choose “Keep my plan” to undo this."}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button size="lg" onClick={onClose}>
          Keep {label}
        </Button>
        <Button
          size="lg"
          kind="primary"
          disabled={isBusy}
          onClick={async () => {
            await cancel();
            onClose();
          }}
        >
          {isBusy ? text.processing : "Cancel Subscription"}
        </Button>
      </div>
    </Dialog>
  );
}

/** The day on which the plan ends, and what else ends with it. */
function consequence({ plan: counting, granted_until, ...info }: UserInfo): string {
  const { paid_plan: plan, next_plan, renewal_date, subscription_status } = info;
  const label = planLabels[plan];
  const hobby = planLabels.hobby;
  const after =
    counting === plan || !granted_until
      ? `you move to ${hobby}`
      : `you keep ${planLabels[counting]} until ${formatDay(granted_until)}, then move to ${hobby}`;
  if (subscription_status === "past_due")
    return `You will not be charged again. Because the last charge failed, ${label} ends immediately and ${after}.`;
  const day = renewal_date ? ` on ${formatDay(renewal_date)}` : " when your paid period is over";
  const change = next_plan ? ` The change to ${planLabels[next_plan]} is cancelled too.` : "";
  return `${label} ends${day}, and ${after}. You will not be charged again.${change}`;
}

function useCancel({ info, refresh }: Props) {
  const api = useApi();
  const notify = useToasts();
  const [isBusy, setIsBusy] = useState(false);

  async function cancel() {
    const { subscription_id } = info;
    if (!subscription_id) return notify.error(text.noSubscription);
    setIsBusy(true);
    try {
      const params = { subscription_id };
      const { cancel_at } = await api.call("POST /cancel-subscription/{subscription_id}", { params });
      notify.success(text.cancelScheduled(formatDay(cancel_at)));
    } catch (problem) {
      notify.error(problem instanceof ApiProblem ? problem.detail || text.cancelRefused : text.cancelFailed);
    } finally {
      setIsBusy(false);
    }
    await refresh().catch(() => notify.error(text.refreshUserFailed));
  }
  return { isBusy, cancel };
}
