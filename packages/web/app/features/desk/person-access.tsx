import { hasRole } from "@tintype/contract";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Lines, None } from "./lines.tsx";
import { Part, type PersonPartProps } from "./person-part.tsx";

export function Access({ person, role, onDone }: PersonPartProps) {
  const api = useApi();
  const params = { id: person.id };
  const { sessions, keys } = person;
  const isSupport = hasRole(role, "support");
  return (
    <Part
      title="Sessions and keys"
      actions={
        isSupport && (
          <>
            {sessions && sessions.length > 0 && (
              <ActionDialog
                title="End all sessions"
                words="Every browser has to sign in again."
                button="End them"
                action={(reason) => api.call("POST /admin/people/{id}/end-sessions", { params, json: { reason } })}
                onDone={onDone}
              />
            )}
            {keys.length > 0 && (
              <ActionDialog
                title="Revoke all keys"
                isDanger
                words="Programs that use them stop working at once. This cannot be undone."
                button="Revoke them"
                action={(reason) => api.call("POST /admin/people/{id}/revoke-keys", { params, json: { reason } })}
                onDone={onDone}
              />
            )}
          </>
        )
      }
    >
      {sessions === null && <None>This person’s sessions are managed by another identity provider.</None>}
      {sessions?.length === 0 && <None>No sessions.</None>}
      {keys.length === 0 && <None>No API keys.</None>}
      <Lines
        lines={[
          ...(sessions ?? []).map(({ id, browser, seen_at }) => ({
            key: id,
            line: browser ?? "Unknown browser",
            more: `session, seen ${formatMoment(seen_at)}`,
            action: isSupport && (
              <ActionDialog
                title="End"
                aria-label={`End the session of ${browser ?? "an unknown browser"}, seen ${formatMoment(seen_at)}`}
                words="This browser has to sign in again."
                button="End it"
                action={(reason) =>
                  api.call("POST /admin/people/{id}/end-sessions", { params, json: { session_id: id, reason } })
                }
                onDone={onDone}
              />
            ),
          })),
          ...keys.map(({ id, name, last_four, scopes, last_used_at }) => ({
            key: id,
            line: `${name} …${last_four}`,
            more: `API key, ${scopes.join(", ")}, ${last_used_at ? `used ${formatMoment(last_used_at)}` : "never used"}`,
            action: isSupport && (
              <ActionDialog
                title="Revoke"
                aria-label={`Revoke ${name}, …${last_four}`}
                isDanger
                words={`Programs that use “${name}” stop working at once. This cannot be undone.`}
                button="Revoke it"
                action={(reason) =>
                  api.call("POST /admin/people/{id}/revoke-keys", { params, json: { key_id: id, reason } })
                }
                onDone={onDone}
              />
            ),
          })),
        ]}
      />
    </Part>
  );
}
