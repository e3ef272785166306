import { type DeliveryKind, type DeskDelivery, type DeskRole, deliveryKinds, hasRole } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import { countOf } from "../../lib/size.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { SelectField } from "../../ui/field.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { AccountLink, Lines } from "./lines.tsx";

const kindWords: Record<DeliveryKind, string> = { mail: "Mails", webhook: "Webhooks", output: "Results to an address" };
type State = DeskDelivery["state"];

/** Failed deliveries, given up or due for another attempt. One that was given up can be retried if its content still exists. */
export function DeliveryList({ role }: { role: DeskRole }) {
  const [kind, setKind] = useState<DeliveryKind>("mail");
  const [state, setState] = useState<State>("failed");
  const [changes, setChanges] = useState(0);
  return (
    <section aria-labelledby="deliveries" className="max-w-3xl">
      <h2 id="deliveries" className="text-2xl">
        Deliveries that failed
      </h2>
      <div className="mt-6 flex flex-wrap gap-4">
        <SelectField
          className="w-full sm:w-56"
          label="What"
          options={deliveryKinds.map((value) => ({ value, label: kindWords[value] }))}
          value={kind}
          onChoose={setKind}
        />
        <SelectField
          className="w-full sm:w-56"
          label="Show"
          options={[
            { value: "failed", label: "Given up" },
            { value: "waiting", label: "Will be retried" },
          ]}
          value={state}
          onChoose={setState}
        />
      </div>
      <Deliveries
        key={`${kind} ${state} ${changes}`}
        kind={kind}
        state={state}
        role={role}
        onDone={() => setChanges((count) => count + 1)}
      />
    </section>
  );
}

type Props = { kind: DeliveryKind; state: State; role: DeskRole; onDone(): void };

function Deliveries({ kind, state, role, onDone }: Props) {
  const api = useApi();
  const load: Loader<DeskDelivery> = async (before, signal) => {
    const query = { kind, state, before, size: 20 };
    const { deliveries, next } = await api.call("GET /admin/deliveries", { query, signal });
    return { rows: deliveries, next };
  };
  const none = state === "failed" ? "Nothing was given up." : "Nothing is waiting to be retried.";
  return (
    <div className="mt-4 text-sm">
      <PagedList load={load} none={none}>
        {(rows) => (
          <Lines
            lines={rows.map((row) => ({
              key: row.id,
              line: kind === "mail" ? row.what.replaceAll("-", " ") : <span className="inline-block">{row.what}</span>,
              more: <DeliveryFacts row={row} />,
              action: hasRole(role, "support") && row.can_retry && (
                <ActionDialog
                  title="Try again"
                  aria-label={`Try again: ${row.what}, ${row.id}`}
                  words={
                    kind === "mail"
                      ? "It is sent now, with all its attempts left. A link in it may have expired by now."
                      : "It is sent now, with all its attempts left."
                  }
                  button="Send it"
                  action={(reason) => api.call("POST /admin/deliveries/retry", { json: { kind, id: row.id, reason } })}
                  onDone={onDone}
                />
              ),
            }))}
          />
        )}
      </PagedList>
    </div>
  );
}

function DeliveryFacts({ row }: { row: DeskDelivery }) {
  const { at, account_id, job_id, tries, problem, next_attempt_at } = row;
  const facts = [
    at && formatMoment(at),
    countOf(tries, "try", "tries"),
    next_attempt_at && `next on ${formatMoment(next_attempt_at)}`,
    job_id,
  ];
  return (
    <>
      {problem && <span className="block">{problem}</span>}
      {facts.filter(Boolean).join(", ")}
      {account_id && (
        <>
          , <AccountLink id={account_id} />
        </>
      )}
    </>
  );
}
