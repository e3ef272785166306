import { type DeskPerson, type DeskRole, hasRole, tasks } from "@tintype/contract";
import { useCallback, useState } from "react";
import { useNavigate } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { countCredits } from "../../lib/count-credits.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { saveBlob } from "../../lib/save-blob.ts";
import { countOf, formatNumber } from "../../lib/size.ts";
import { useRead } from "../../lib/use-read.ts";
import { TextField } from "../../ui/field.tsx";
import { ReadState } from "../../ui/read-state.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { AuditList } from "./audit-list.tsx";
import { Facts } from "./facts.tsx";
import { Lines } from "./lines.tsx";
import { Access } from "./person-access.tsx";
import { Credits } from "./person-credits.tsx";
import { Part, type PersonPartProps } from "./person-part.tsx";
import { Plan } from "./person-plan.tsx";

/** One person: everything that the desk knows about them, and the actions on the account. */
export function PersonView({ id, role }: { id: string; role: DeskRole }) {
  const api = useApi();
  const { data, problem, read } = useRead(
    useCallback((signal) => api.call("GET /admin/people/{id}", { params: { id }, signal }), [api, id]),
  );
  const [changes, setChanges] = useState(0);
  if (!data) return <ReadState {...{ data, problem, read }} />;
  const reload = async () => {
    await read();
    setChanges((count) => count + 1);
  };
  return (
    <article aria-labelledby="person">
      <h2 id="person" className="text-3xl wrap-anywhere">
        {data.email || data.id}
      </h2>
      <div role="alert">
        {data.blocked_at && (
          <p className="mt-3 font-medium text-accent-ink">Blocked since {formatMoment(data.blocked_at)}.</p>
        )}
        {problem && <p className="mt-3 text-sm text-accent-ink">{problem}</p>}
      </div>
      <Facts facts={factsOf(data)} />
      {hasRole(role, "support") && <AccountActions person={data} role={role} onDone={reload} />}
      <div className="mt-12 grid gap-x-16 gap-y-12 lg:grid-cols-2 lg:items-start">
        <Credits person={data} role={role} onDone={reload} />
        {!isPrivate && <Plan person={data} role={role} onDone={reload} />}
        <Jobs person={data} />
        <Access person={data} role={role} onDone={reload} />
        <Mails person={data} />
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
  ["Since", formatMoment(person.created_at)],
  ...(person.operator ? ([["Desk", person.operator]] as [string, string][]) : []),
];

function AccountActions({ person, role, onDone }: PersonPartProps) {
  const api = useApi();
  const goTo = useNavigate();
  const { id, email } = person;
  const params = { id };
  const [typed, setTyped] = useState("");
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      {!person.email_verified && person.sessions && (
        <ActionDialog
          title="Verify address"
          words={`${email} counts as verified, and the account gets its whole allowance.`}
          button="Verify"
          action={(reason) => api.call("POST /admin/people/{id}/verify-address", { params, json: { reason } })}
          onDone={onDone}
        />
      )}
      {person.blocked_at ? (
        <ActionDialog
          title="Unblock"
          words={`${email} can sign in again, and API keys work again.`}
          button="Unblock"
          action={(reason) => api.call("POST /admin/people/{id}/unblock", { params, json: { reason } })}
          onDone={onDone}
        />
      ) : (
        <ActionDialog
          title="Block"
          isDanger
          words={`Sessions of ${email} end, and API keys and sign-ins are refused from now on. The person is asked to write to us.`}
          button="Block"
          action={(reason) => api.call("POST /admin/people/{id}/block", { params, json: { reason } })}
          onDone={onDone}
        />
      )}
      <ActionDialog
        title="Export data"
        words={`Everything stored about ${email}, as one JSON file to send to them.`}
        button="Export"
        action={async (reason) => {
          const data = await api.call("POST /admin/people/{id}/export", { params, json: { reason } });
          saveBlob(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }), `${id}.json`);
        }}
        onDone={onDone}
      />
      {hasRole(role, "owner") && (
        <ActionDialog
          title="Delete account"
          isDanger
          words={`${isPrivate ? "All" : "Their subscription is cancelled at once, and all"} their personal data is deleted. This cannot be undone.`}
          button="Delete"
          action={(reason) => api.call("POST /admin/people/{id}/delete", { params, json: { email: typed, reason } })}
          onDone={() => void goTo("/admin")}
        >
          <TextField
            label="Email of the account"
            required
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </ActionDialog>
      )}
    </div>
  );
}

function Jobs({ person }: { person: DeskPerson }) {
  return (
    <Part title="Jobs">
      <Lines
        none="No jobs in the last day."
        lines={person.jobs.map((job) => ({
          key: job.id,
          line: `${tasks[job.operation].label}, ${job.state}`,
          more: [
            formatMoment(job.created_at),
            `${formatNumber(job.files)} files`,
            job.failed_files ? `${formatNumber(job.failed_files)} failed (${job.codes.join(", ")})` : "",
            countCredits(job.credits),
            job.id,
          ],
        }))}
      />
    </Part>
  );
}

function Mails({ person }: { person: DeskPerson }) {
  return (
    <Part title="Mails">
      <Lines
        none="No recent emails."
        lines={person.mails.map(({ kind, created_at, state, tries }) => ({
          key: `${kind} ${created_at}`,
          line: kind.replaceAll("-", " "),
          more: [formatMoment(created_at), state, state !== "sent" && tries > 0 && countOf(tries, "try", "tries")],
        }))}
      />
    </Part>
  );
}
