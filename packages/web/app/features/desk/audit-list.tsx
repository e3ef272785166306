import type { AuditEntry, DeskAction } from "@tintype/contract";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { PagedList } from "../../ui/paged-list.tsx";
import { AccountLink } from "./lines.tsx";

/** The audit log: who changed what, when and why, for one subject or all of them. */
export function AuditList({ subject }: { subject?: string }) {
  const api = useApi();
  const load: Loader<AuditEntry> = async (before, signal) => {
    const { entries, next } = await api.call("GET /admin/audit", { query: { before, size: 20, subject }, signal });
    return { rows: entries, next };
  };
  return (
    <PagedList load={load} none="No changes yet.">
      {(rows) => (
        <ul className="divide-y divide-line">
          {rows.map((entry) => (
            <Entry key={entry.id} entry={entry} isOfMany={subject === undefined} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function Entry({ entry, isOfMany }: { entry: AuditEntry; isOfMany: boolean }) {
  const { action, at, actor, actor_email, subject, reason, before, after, request_id } = entry;
  return (
    <li className="py-3 text-sm">
      <p className="font-medium">{actionWords[action]}</p>
      <p className="wrap-anywhere">{reason}</p>
      <p className="text-muted wrap-anywhere">
        {formatMoment(at)}, by {actor_email ?? actor}
        {isOfMany && <>, {subject.startsWith("acc_") ? <AccountLink id={subject} /> : subject}</>}
      </p>
      {(before || after) && (
        <p className="text-muted wrap-anywhere">
          {[before && textOf(before), after && textOf(after)].filter(Boolean).join(" → ")}
        </p>
      )}
      {request_id && <p className="text-muted wrap-anywhere">{request_id}</p>}
    </li>
  );
}

/** The names of the audit log's actions. */
const actionWords: Record<DeskAction, string> = {
  "operator-granted": "Role granted",
  "operator-revoked": "Role revoked",
  "invitation-made": "Invitation made",
  "invitation-revoked": "Invitation revoked",
  "admin-key-made": "API key made",
  "credits-adjusted": "Credits adjusted",
  "sessions-ended": "Sessions ended",
  "keys-revoked": "Keys revoked",
  "person-blocked": "Person blocked",
  "person-unblocked": "Person unblocked",
  "address-verified": "Address verified",
  "person-exported": "Data exported",
  "person-deleted": "Account deleted",
  "payment-refunded": "Payment refunded",
  "plan-cancelled": "Plan cancelled",
  "plan-kept": "Cancellation undone",
  "plan-granted": "Plan granted",
  "granted-plan-ended": "Granted plan ended",
  "job-ended": "Job ended",
  "delivery-retried": "Delivery retried",
  "network-blocked": "Network blocked",
  "network-unblocked": "Network unblocked",
  "message-answered": "Message answered",
  "message-marked": "Message marked",
};

const textOf = (facts: NonNullable<AuditEntry["before"]>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value ?? "none"}`)
    .join(", ");
