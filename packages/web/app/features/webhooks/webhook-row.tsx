import type { Webhook, WebhookWithSecret } from "@tintype/contract";
import { useApi } from "../../lib/api/context.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

type Props = { webhook: Webhook; onRotated(webhook: WebhookWithSecret): void; onRemoved(): void };

/** A webhook and its actions, each of which asks for confirmation. */
export function WebhookRow({ webhook: { id, url, disabled_at }, onRotated, onRemoved }: Props) {
  const api = useApi();
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 py-5">
      <div className="mr-auto min-w-0">
        <h3 className="font-sans text-base font-medium tracking-normal break-all">{url}</h3>
        <p className="mt-1 text-sm text-muted">
          {disabled_at
            ? "Disabled: the URL returned 410 Gone."
            : "We call it for every job that runs in the background."}
        </p>
      </div>
      <div className="flex gap-2">
        <ConfirmDialog
          label="Rotate"
          aria-label={`Rotate the secret of ${url}`}
          title="Rotate secret"
          words="For a day, deliveries are signed with both secrets, then only with the new one."
          button="Rotate"
          action={async () =>
            onRotated(await api.call("POST /webhooks/{id}/rotate", { params: { id }, json: { overlap_hours: 24 } }))
          }
        />
        <ConfirmDialog
          label="Remove"
          aria-label={`Remove ${url}`}
          title="Remove webhook"
          words={`Nothing more is sent to ${url}, and its deliveries are deleted.`}
          button="Remove"
          action={async () => {
            await api.call("DELETE /webhooks/{id}", { params: { id } });
            onRemoved();
          }}
        />
      </div>
    </li>
  );
}
