import type { Webhook, WebhookWithSecret } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { ConfirmForm } from "../../ui/act-form.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

type Props = { webhook: Webhook; onRotated(webhook: WebhookWithSecret): void; onRemoved(): void };
type Deed = { title: string; words: string; button: string; act(): Promise<void> };

/** A webhook and its actions, each of which asks for confirmation. */
export function WebhookRow({ webhook: { id, url, disabled_at }, onRotated, onRemoved }: Props) {
  const api = useApi();
  const [asks, setAsks] = useState<"rotate" | "remove">();
  const close = () => setAsks(undefined);
  const deeds: Record<"rotate" | "remove", Deed> = {
    rotate: {
      title: "Rotate secret",
      words: "For a day, deliveries are signed with both secrets, then only with the new one.",
      button: "Rotate",
      act: async () =>
        onRotated(await api.call("POST /webhooks/{id}/rotate", { params: { id }, json: { overlap_hours: 24 } })),
    },
    remove: {
      title: "Remove webhook",
      words: `Nothing more is sent to ${url}, and its deliveries are deleted.`,
      button: "Remove",
      async act() {
        await api.call("DELETE /webhooks/{id}", { params: { id } });
        onRemoved();
      },
    },
  };
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 py-5">
      <div className="mr-auto min-w-0">
        <h3 className="font-sans text-base font-medium tracking-normal break-all">{url}</h3>
        <p className="mt-1 text-sm text-muted">
          {disabled_at
            ? "Disabled: the address answered 410 Gone."
            : "We call it for every job that runs in the background."}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Rotate the secret of ${url}`} onClick={() => setAsks("rotate")}>
          Rotate
        </Button>
        <Button size="sm" aria-label={`Remove ${url}`} onClick={() => setAsks("remove")}>
          Remove
        </Button>
      </div>
      {(["rotate", "remove"] as const).map((kind) => (
        <Dialog key={kind} title={deeds[kind].title} isOpen={asks === kind} onClose={close}>
          <ConfirmForm
            words={deeds[kind].words}
            button={deeds[kind].button}
            act={async () => {
              await deeds[kind].act();
              close();
            }}
          />
        </Dialog>
      ))}
    </li>
  );
}
