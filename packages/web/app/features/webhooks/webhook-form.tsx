import type { WebhookWithSecret } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { TextField } from "../../ui/field.tsx";
import { NewForm } from "../../ui/form.tsx";

/** Creates a webhook for a URL. */
export function WebhookForm({ onCreated }: { onCreated(webhook: WebhookWithSecret): void }) {
  const api = useApi();
  const [url, setUrl] = useState("");
  return (
    <NewForm
      title="New webhook"
      button="Create webhook"
      action={async () => {
        onCreated(await api.call("POST /webhooks", { json: { url } }));
        setUrl("");
      }}
    >
      <TextField
        label="Address"
        hint="We send a POST here when a job ends."
        type="url"
        required
        maxLength={2000}
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
    </NewForm>
  );
}
