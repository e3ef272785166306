import {
  type DeskPayment,
  type DeskPerson,
  type DeskRole,
  formatDay,
  formatPrice,
  hasRole,
  mostGrantedDays,
  type PaidPlanName,
  paidPlanNames,
  planLabels,
  tasks,
} from "@tintype/contract";
import { type ReactNode, useCallback, useId, useState } from "react";
import { useNavigate } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { saveBlob } from "../../lib/save-blob.ts";
import { formatNumber } from "../../lib/size.ts";
import { useRead } from "../../lib/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { AuditList } from "./audit-list.tsx";
import { Deed } from "./deed.tsx";
import { Facts } from "./facts.tsx";
import { Lines, None } from "./lines.tsx";
import { momentText } from "./words.ts";

/** One person: everything that the desk knows of them, and what can be done. */
export function PersonView({ id, role }: { id: string; role: DeskRole }) {
  const api = useApi();
  const { found, problem, read } = useRead(
    useCallback((signal) => api.call("GET /admin/people/{id}", { params: { id }, signal }), [api, id]),
  );
  const [changes, setChanges] = useState(0);
  if (!found)
    return (
      <>
        <div role="status">
          {problem ? <p className="text-sm text-accent-ink">{problem}</p> : <p className="text-muted">Loading...</p>}
        </div>
        {problem && (
          <Button className="mt-3" onClick={() => void read()}>
            Try again
          </Button>
        )}
      </>
    );
  const again = async () => {
    await read();
    setChanges((count) => count + 1);
  };
  return (
    <article aria-labelledby="person">
      <h2 id="person" className="text-3xl wrap-anywhere">
        {found.email || found.id}
      </h2>
      <div role="alert">
        {found.blocked_at && (
          <p className="mt-3 font-medium text-accent-ink">Blocked since {momentText(found.blocked_at)}.</p>
        )}
        {problem && <p className="mt-3 text-sm text-accent-ink">{problem}</p>}
      </div>
      <Facts facts={factsOf(found)} />
      {hasRole(role, "support") && <AccountDeeds person={found} role={role} onDone={again} />}
      <div className="mt-12 grid gap-x-16 gap-y-12 lg:grid-cols-2 lg:items-start">
        <Credits person={found} role={role} onDone={again} />
        <Plan person={found} role={role} onDone={again} />
        <Jobs person={found} />
        <Access person={found} role={role} onDone={again} />
        <Mails person={found} />
        <Part title="Changes at the desk">
          <AuditList key={changes} subject={id} />
        </Part>
      </div>
    </article>
  );
}

const factsOf = (person: DeskPerson): [string, string][] => [
  ["Name", person.name === person.email ? "none" : person.name],
  ["Account", person.id],
  ["Address", person.email_verified ? "verified" : "not verified"],
  ["Since", momentText(person.created_at)],
  ...(person.operator ? ([["Desk", person.operator]] as [string, string][]) : []),
];

function Part({ title, deeds, children }: { title: string; deeds?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="text-2xl">
        {title}
      </h3>
      {deeds && <div className="mt-3 flex flex-wrap gap-2">{deeds}</div>}
      <div className="mt-4 text-sm">{children}</div>
    </section>
  );
}

type Acting = { person: DeskPerson; role: DeskRole; onDone(): Promise<void> };

function AccountDeeds({ person, role, onDone }: Acting) {
  const api = useApi();
  const goTo = useNavigate();
  const { id, email } = person;
  const params = { id };
  const [typed, setTyped] = useState("");
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      {!person.email_verified && person.sessions && (
        <Deed
          title="Verify address"
          words={`${email} counts as verified, and the account gets its whole allowance.`}
          button="Verify"
          act={async (reason) => {
            await api.call("POST /admin/people/{id}/verify-address", { params, json: { reason } });
            await onDone();
          }}
        />
      )}
      {person.blocked_at ? (
        <Deed
          title="Unblock"
          words={`${email} can sign in again, and API keys work again.`}
          button="Unblock"
          act={async (reason) => {
            await api.call("POST /admin/people/{id}/unblock", { params, json: { reason } });
            await onDone();
          }}
        />
      ) : (
        <Deed
          title="Block"
          isDanger
          words={`Sessions of ${email} end, and API keys and sign-ins are refused from now on. The person is asked to write to us.`}
          button="Block"
          act={async (reason) => {
            await api.call("POST /admin/people/{id}/block", { params, json: { reason } });
            await onDone();
          }}
        />
      )}
      <Deed
        title="Export data"
        words={`Everything that is stored of ${email}, as one JSON file to hand over to them.`}
        button="Export"
        act={async (reason) => {
          const data = await api.call("POST /admin/people/{id}/export", { params, json: { reason } });
          saveBlob(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }), `${id}.json`);
          await onDone();
        }}
      />
      {hasRole(role, "owner") && (
        <Deed
          title="Delete account"
          isDanger
          words="Their subscription is cancelled at once, and everything that names them is deleted. This cannot be undone."
          button="Delete"
          act={async (reason) => {
            await api.call("POST /admin/people/{id}/delete", { params, json: { email: typed, reason } });
            void goTo("/admin");
          }}
        >
          <TextField
            label="Email of the account"
            required
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Deed>
      )}
    </div>
  );
}

/** As a balance is written, with a real minus. */
const changeText = (change: number): string =>
  `${change > 0 ? "+" : change < 0 ? "−" : ""}${formatNumber(Math.abs(change))} credits`;

const windowWords = { ever: "in all", month: "this month", day: "today" } as const;

function Credits({ person, role, onDone }: Acting) {
  const api = useApi();
  const [credits, setCredits] = useState("");
  const { used, limit, window, resets_at, lines } = person.credits;
  const adjust = (sign: 1 | -1) => async (reason: string) => {
    await api.call("POST /admin/people/{id}/credits", {
      params: { id: person.id },
      json: { credits: sign * Number(credits), reason },
    });
    await onDone();
    setCredits("");
  };
  const number = (
    <TextField
      label="Credits"
      type="number"
      inputMode="numeric"
      required
      min={1}
      max={10_000}
      value={credits}
      onChange={({ target }) => setCredits(target.value)}
    />
  );
  const until = resets_at ? ` They end on ${momentText(resets_at)}, with the others of this window.` : "";
  return (
    <Part
      title="Credits"
      deeds={
        hasRole(role, "support") && (
          <>
            <Deed title="Give credits" words={`On top of the allowance.${until}`} button="Give" act={adjust(1)}>
              {number}
            </Deed>
            <Deed title="Take credits" words="No more than are left." button="Take" act={adjust(-1)}>
              {number}
            </Deed>
          </>
        )
      }
    >
      <p>
        {formatNumber(used)} of {formatNumber(limit)} used {windowWords[window]}
      </p>
      {lines.length === 0 ? (
        <None>No credit was used yet.</None>
      ) : (
        <Lines
          lines={lines.map((line) => ({
            key: line.id,
            line: [line.operation ? tasks[line.operation].label : "", line.change].filter(Boolean).join(", "),
            more: `${momentText(line.at)}, ${changeText(line.given_back - line.credits)}`,
          }))}
        />
      )}
    </Part>
  );
}

function Plan({ person, role, onDone }: Acting) {
  const api = useApi();
  const { subscription, payments, paid_plan: plan } = person;
  const params = { id: person.id };
  const isOwner = hasRole(role, "owner");
  const status = subscription?.status?.replace("_", " ");
  return (
    <Part
      title="Plan and payments"
      deeds={
        isOwner && (
          <>
            {subscription && subscription.status !== "cancellation_scheduled" && (
              <Deed
                title="Cancel plan"
                isDanger
                words={`${planLabels[plan]} ends with the paid period and is not charged again. The person gets a mail.`}
                button="Cancel the plan"
                act={async (reason) => {
                  await api.call("POST /admin/people/{id}/cancel-plan", { params, json: { reason } });
                  await onDone();
                }}
              />
            )}
            {subscription?.keep_until && (
              <Deed
                title="Undo cancellation"
                words={`${planLabels[plan]} goes on. The person gets a mail.`}
                button="Keep the plan"
                act={async (reason) => {
                  await api.call("POST /admin/people/{id}/keep-plan", { params, json: { reason } });
                  await onDone();
                }}
              />
            )}
            <GrantPlan person={person} onDone={onDone} />
            {person.granted && (
              <Deed
                title="End granted plan"
                isDanger
                words={`The granted ${planLabels[person.granted.plan]} ends now. Then ${planLabels[plan]} counts.`}
                button="End it"
                act={async (reason) => {
                  await api.call("POST /admin/people/{id}/end-granted-plan", { params, json: { reason } });
                  await onDone();
                }}
              />
            )}
          </>
        )
      }
    >
      <p>
        {[
          planLabels[plan],
          subscription?.billing_cycle,
          status,
          subscription?.renewal_date && `until ${momentText(subscription.renewal_date)}`,
          subscription?.next_plan && `then ${planLabels[subscription.next_plan]}`,
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      {person.granted && (
        <p>
          {planLabels[person.granted.plan]} until {formatDay(person.granted.until)}, granted
          {person.plan === plan && ". What is paid for is as good or better."}
        </p>
      )}
      {payments.length === 0 ? (
        <None>No payments.</None>
      ) : (
        <Lines
          lines={payments.map((payment) => ({
            key: payment.id,
            line: `${priceOf(payment)}, ${planLabels[payment.plan]} ${payment.billing_cycle}`,
            more: [momentText(payment.at), payment.id, payment.status, refundText(payment)].filter(Boolean).join(", "),
            deed: isOwner && payment.status === "captured" && payment.refund === "none" && (
              <Refund payment={payment} onDone={onDone} />
            ),
          }))}
        />
      )}
    </Part>
  );
}

/** `2026-12-25`, so many days from now, as a date field has it. */
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

function GrantPlan({ person, onDone }: Omit<Acting, "role">) {
  const api = useApi();
  const [plan, setPlan] = useState<PaidPlanName>("pro");
  const [day, setDay] = useState("");
  return (
    <Deed
      title="Grant plan"
      words="Without payment, from now on. Nothing is charged or cancelled at the gateway, and a better plan that is paid for goes first."
      button="Grant"
      act={async (reason) => {
        const until = `${day}T00:00:00.000Z`;
        await api.call("POST /admin/people/{id}/grant-plan", {
          params: { id: person.id },
          json: { plan, until, reason },
        });
        await onDone();
        setDay("");
      }}
    >
      <SelectField
        label="Plan"
        value={plan}
        onChange={({ target }) => setPlan(paidPlanNames.find((name) => name === target.value) ?? plan)}
      >
        {paidPlanNames.map((name) => (
          <option key={name} value={name}>
            {planLabels[name]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Until"
        hint="It ends as this day begins, at 00:00 UTC."
        type="date"
        required
        min={dayIn(1)}
        max={dayIn(mostGrantedDays)}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
    </Deed>
  );
}

const priceOf = ({ amount_minor: amountMinor, currency }: DeskPayment) => formatPrice({ amountMinor, currency });

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
    <Deed
      title="Refund"
      aria-label={`Refund ${payment.id}`}
      words={`${payment.id} of ${priceOf(payment)}. A payment can be refunded once. While the plan still runs on it, refund the whole payment or end the plan. The person gets a mail.`}
      button="Refund"
      act={async (reason) => {
        await api.call("POST /admin/payments/{id}/refund", {
          params: { id: payment.id },
          json: { amount_minor: Math.round(Number(amount) * 100), ends_plan: endsPlan, reason },
        });
        await onDone();
      }}
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
    </Deed>
  );
}

function Jobs({ person }: { person: DeskPerson }) {
  return (
    <Part title="Jobs">
      {person.jobs.length === 0 ? (
        <None>No jobs that are still remembered.</None>
      ) : (
        <Lines
          lines={person.jobs.map((job) => ({
            key: job.id,
            line: `${tasks[job.operation].label}, ${job.state}`,
            more: [
              momentText(job.created_at),
              `${formatNumber(job.files)} files`,
              job.failed_files ? `${formatNumber(job.failed_files)} failed (${job.codes.join(", ")})` : "",
              `${formatNumber(job.credits)} credits`,
              job.id,
            ]
              .filter(Boolean)
              .join(", "),
          }))}
        />
      )}
    </Part>
  );
}

function Access({ person, role, onDone }: Acting) {
  const api = useApi();
  const params = { id: person.id };
  const { sessions, keys } = person;
  const isSupport = hasRole(role, "support");
  return (
    <Part
      title="Sessions and keys"
      deeds={
        isSupport && (
          <>
            {sessions && sessions.length > 0 && (
              <Deed
                title="End all sessions"
                words="Every browser has to sign in again."
                button="End them"
                act={async (reason) => {
                  await api.call("POST /admin/people/{id}/end-sessions", { params, json: { reason } });
                  await onDone();
                }}
              />
            )}
            {keys.length > 0 && (
              <Deed
                title="Revoke all keys"
                isDanger
                words="Programs that use them stop working at once. This cannot be undone."
                button="Revoke them"
                act={async (reason) => {
                  await api.call("POST /admin/people/{id}/revoke-keys", { params, json: { reason } });
                  await onDone();
                }}
              />
            )}
          </>
        )
      }
    >
      {sessions === null && <None>Another identity provider keeps this person’s sessions.</None>}
      {sessions?.length === 0 && <None>No sessions.</None>}
      {keys.length === 0 && <None>No API keys.</None>}
      <Lines
        lines={[
          ...(sessions ?? []).map(({ id, browser, seen_at }) => ({
            key: id,
            line: browser ?? "Unknown browser",
            more: `session, seen ${momentText(seen_at)}`,
            deed: isSupport && (
              <Deed
                title="End"
                aria-label={`End the session of ${browser ?? "an unknown browser"}, seen ${momentText(seen_at)}`}
                words="This browser has to sign in again."
                button="End it"
                act={async (reason) => {
                  const json = { session_id: id, reason };
                  await api.call("POST /admin/people/{id}/end-sessions", { params, json });
                  await onDone();
                }}
              />
            ),
          })),
          ...keys.map(({ id, name, last_four, scopes, last_used_at }) => ({
            key: id,
            line: `${name} …${last_four}`,
            more: `API key, ${scopes.join(", ")}, ${last_used_at ? `used ${momentText(last_used_at)}` : "never used"}`,
            deed: isSupport && (
              <Deed
                title="Revoke"
                aria-label={`Revoke ${name}, …${last_four}`}
                isDanger
                words={`Programs that use “${name}” stop working at once. This cannot be undone.`}
                button="Revoke it"
                act={async (reason) => {
                  const json = { key_id: id, reason };
                  await api.call("POST /admin/people/{id}/revoke-keys", { params, json });
                  await onDone();
                }}
              />
            ),
          })),
        ]}
      />
    </Part>
  );
}

function Mails({ person }: { person: DeskPerson }) {
  return (
    <Part title="Mails">
      {person.mails.length === 0 ? (
        <None>No mails that are still remembered.</None>
      ) : (
        <Lines
          lines={person.mails.map(({ kind, created_at, state, tries }) => ({
            key: `${kind} ${created_at}`,
            line: kind.replaceAll("-", " "),
            more: [
              momentText(created_at),
              state,
              state !== "sent" && tries > 0 ? `${tries} ${tries === 1 ? "try" : "tries"}` : "",
            ]
              .filter(Boolean)
              .join(", "),
          }))}
        />
      )}
    </Part>
  );
}
