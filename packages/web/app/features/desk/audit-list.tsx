import type { AuditEntry } from "@tintype/contract";
import { useCallback } from "react";
import { Link } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { PagedList } from "../../ui/paged-list.tsx";
import { actionWords } from "./words.ts";

/** The audit log: who changed what, when and why, for one subject or all of them. */
export function AuditList({ subject }: { subject?: string }) {
  const api = useApi();
  const load: Loader<AuditEntry> = useCallback(
    async (before, signal) => {
      const { entries, next } = await api.call("GET /admin/audit", { query: { before, size: 20, subject }, signal });
      return { rows: entries, next };
    },
    [api, subject],
  );
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
        {isOfMany && (
          <>
            ,{" "}
            {subject.startsWith("acc_") ? (
              <Link to={`/admin?person=${encodeURIComponent(subject)}`} className="underline underline-offset-2">
                {subject}
              </Link>
            ) : (
              subject
            )}
          </>
        )}
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

const textOf = (facts: NonNullable<AuditEntry["before"]>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value ?? "none"}`)
    .join(", ");
