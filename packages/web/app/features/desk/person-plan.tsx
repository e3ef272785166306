import {
  type DeskPayment,
  formatDay,
  formatPrice,
  hasRole,
  maxGrantedDays,
  type PaidPlanName,
  paidPlanNames,
  planLabels,
} from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { dayMs, dayOf } from "../../lib/day-steps.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { Lines } from "./lines.tsx";
import { Part, type PersonPartProps } from "./person-part.tsx";

export function Plan({ person, role, onDone }: PersonPartProps) {
  const api = useApi();
  const { subscription, payments, paid_plan: plan } = person;
  const params = { id: person.id };
  const isOwner = hasRole(role, "owner");
  const status = subscription?.status?.replace("_", " ");
  return (
    <Part
      title="Plan and payments"
      actions={
        isOwner && (
          <>
            {subscription && subscription.status !== "cancellation_scheduled" && (
              <ActionDialog
                title="Cancel plan"
                isDanger
                words={`${planLabels[plan]} ends with the paid period and is not charged again. The person gets a mail.`}
                button="Cancel the plan"
                action={(reason) => api.call("POST /admin/people/{id}/cancel-plan", { params, json: { reason } })}
                onDone={onDone}
              />
            )}
            {subscription?.keep_until && (
              <ActionDialog
                title="Undo cancellation"
                words={`${planLabels[plan]} goes on. The person gets a mail.`}
                button="Keep the plan"
                action={(reason) => api.call("POST /admin/people/{id}/keep-plan", { params, json: { reason } })}
                onDone={onDone}
              />
            )}
            <GrantPlan person={person} onDone={onDone} />
            {person.granted && (
              <ActionDialog
                title="End granted plan"
                isDanger
                words={`The granted ${planLabels[person.granted.plan]} ends now. Then ${planLabels[plan]} counts.`}
                button="End it"
                action={(reason) => api.call("POST /admin/people/{id}/end-granted-plan", { params, json: { reason } })}
                onDone={onDone}
              />
            )}
          </>
        )
      }
    >
      <p>
        {[
          planLabels[plan],
          subscription?.price && `${priceOf(subscription.price)} ${subscription.billing_cycle}`,
          status,
          subscription?.renewal_date && `until ${formatMoment(subscription.renewal_date)}`,
          subscription?.next_plan && `then ${planLabels[subscription.next_plan]}`,
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      {subscription?.next_price && (
        <p>
          {priceOf(subscription.next_price)} from {formatDay(subscription.next_price.from)}, announced by email
        </p>
      )}
      {subscription?.price_change_refused && (
        <p>The price change was not made: the gateway refused it, or the email could not be delivered.</p>
      )}
      {person.granted && (
        <p>
          {planLabels[person.granted.plan]} until {formatDay(person.granted.until)}, granted
          {person.plan === plan && ". What is paid for is as good or better."}
        </p>
      )}
      <Lines
        none="No payments."
        lines={payments.map((payment) => ({
          key: payment.id,
          line: `${priceOf(payment)}, ${planLabels[payment.plan]} ${payment.billing_cycle}`,
          more: [formatMoment(payment.at), payment.id, payment.status, refundText(payment)],
          action: isOwner && payment.status === "captured" && payment.refund === "none" && (
            <Refund payment={payment} onDone={onDone} />
          ),
        }))}
      />
    </Part>
  );
}

function GrantPlan({ person, onDone }: Omit<PersonPartProps, "role">) {
  const api = useApi();
  const [plan, setPlan] = useState<PaidPlanName>("pro");
  const [day, setDay] = useState("");
  return (
    <ActionDialog
      title="Grant plan"
      words="Free of charge, from now on. Nothing changes at the payment gateway. If the person pays for a better plan, that plan applies."
      button="Grant"
      action={(reason) =>
        api.call("POST /admin/people/{id}/grant-plan", {
          params: { id: person.id },
          json: { plan, until: `${day}T00:00:00.000Z`, reason },
        })
      }
      onDone={async () => {
        await onDone();
        setDay("");
      }}
    >
      <SelectField
        label="Plan"
        options={paidPlanNames.map((value) => ({ value, label: planLabels[value] }))}
        value={plan}
        onChoose={setPlan}
      />
      <TextField
        label="Until"
        hint="Ends at 00:00 UTC on this day."
        type="date"
        required
        min={dayIn(1)}
        max={dayIn(maxGrantedDays)}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
    </ActionDialog>
  );
}

function refundText({ refund, refunded_minor, currency }: DeskPayment): string {
  if (refund === "none") return "";
  const price = formatPrice({ amountMinor: refunded_minor, currency });
  return refund === "done" ? `${price} refunded` : `${price} on the way back`;
}

function Refund({ payment, onDone }: { payment: DeskPayment; onDone(): Promise<void> }) {
  const api = useApi();
  const [amount, setAmount] = useState(String(payment.amount_minor / 100));
  const [endsPlan, setEndsPlan] = useState(false);
  return (
    <ActionDialog
      title="Refund"
      aria-label={`Refund ${payment.id}`}
      words={`${payment.id} of ${priceOf(payment)}. A payment can be refunded once. While the plan still runs on it, refund the whole payment or end the plan. The person gets a mail.`}
      button="Refund"
      action={(reason) =>
        api.call("POST /admin/payments/{id}/refund", {
          params: { id: payment.id },
          json: { amount_minor: Math.round(Number(amount) * 100), ends_plan: endsPlan, reason },
        })
      }
      onDone={onDone}
    >
      <TextField
        label={`Amount in ${payment.currency}`}
        type="number"
        inputMode="decimal"
        required
        min={1}
        max={payment.amount_minor / 100}
        step={0.01}
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
      />
      <label className="flex items-center gap-3 text-sm">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={endsPlan}
          onChange={({ target }) => setEndsPlan(target.checked)}
        />
        End the plan now
      </label>
    </ActionDialog>
  );
}

/** `2026-12-25`: the day `days` from now, in the format of a date field. */
const dayIn = (days: number): string => dayOf(Date.now() + days * dayMs);

const priceOf = ({ amount_minor: amountMinor, currency }: Pick<DeskPayment, "amount_minor" | "currency">) =>
  formatPrice({ amountMinor, currency });
