import { type Currency, formatPrice, planLabels, prices, text, type UserInfo } from "@tintype/contract";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { type Choice, startOf } from "./plan-offer.ts";

type Props = {
  choice: Choice;
  currency: Currency;
  info: UserInfo;
  isOpen: boolean;
  isBusy: boolean;
  onCancel(): void;
  onConfirm(): void;
};

/** Says what is paid, when, and from when the plan holds, before anything is. */
export function ConfirmUpgrade({ choice, currency, info, isOpen, isBusy, onCancel, onConfirm }: Props) {
  const { plan, cycle } = choice;
  const label = planLabels[plan];
  const price = formatPrice({ amountMinor: prices[plan][cycle][currency], currency });
  const span = cycle === "monthly" ? "month" : "year";
  const start = startOf(info);
  return (
    <Dialog title={`Confirm ${label}`} isOpen={isOpen} onClose={onCancel}>
      <p>
        You pay <strong className="font-semibold">{price}</strong> now, and the same again every {span} until you
        cancel.
      </p>
      <p className="mt-3 text-sm text-muted">
        {start
          ? `${label} (${cycle}) starts on ${start}, when what you have paid for ${planLabels[info.plan]} ends. Until then nothing changes.`
          : `${label} starts at once. You can cancel at any time; it then lasts until the end of what is paid for.`}
      </p>
      <div className="mt-6 flex justify-end gap-3">
        <Button size="lg" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="lg" kind="primary" disabled={isBusy} onClick={onConfirm}>
          {isBusy ? text.processing : "Confirm"}
        </Button>
      </div>
    </Dialog>
  );
}
