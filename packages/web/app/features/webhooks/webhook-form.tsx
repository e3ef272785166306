import { text, type WebhookWithSecret } from "@tintype/contract";
import { useId, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { sentenceOf } from "./use-webhooks.ts";

/** Makes a webhook: the address that is told. */
export function WebhookForm({ onCreated }: { onCreated(webhook: WebhookWithSecret): void }) {
  const api = useApi();
  const headingId = useId();
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function create() {
    setIsBusy(true);
    setProblem(undefined);
    try {
      onCreated(await api.call("POST /webhooks", { json: { url } }));
      setUrl("");
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      aria-labelledby={headingId}
      className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-6"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2 id={headingId} className="text-2xl">
        New webhook
      </h2>
      <div role="alert">{problem && <p className="text-sm text-accent-ink">{problem}</p>}</div>
      <TextField
        label="Address"
        hint="It gets a POST when a job has ended."
        type="url"
        required
        maxLength={2000}
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Button type="submit" kind="primary" size="lg" disabled={isBusy}>
        {isBusy ? text.processing : "Create webhook"}
      </Button>
    </form>
  );
}
