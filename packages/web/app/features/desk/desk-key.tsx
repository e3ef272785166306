import type { CreatedApiKey } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { dayMs } from "../../lib/day-steps.ts";
import { fieldOf, TextField } from "../../ui/field.tsx";
import { NewForm } from "../../ui/form.tsx";
import { ShownOnce } from "../../ui/item-list.tsx";
import { ReasonField } from "./action-dialog.tsx";

/** Creates a key with the desk's scope, for the operator's programs. It expires with the operator's role. */
export function DeskKey() {
  const api = useApi();
  const [created, setCreated] = useState<CreatedApiKey>();
  const [name, setName] = useState("");
  const [days, setDays] = useState("30");
  return (
    <div className="max-w-md">
      <NewForm
        title="New API key"
        button="Create"
        action={async (form) => {
          const expires_at = new Date(Date.now() + Number(days) * dayMs).toISOString();
          const reason = fieldOf(form, "reason");
          setCreated(await api.call("POST /admin/keys", { json: { name, expires_at, reason } }));
          setName("");
        }}
      >
        <p className="text-sm text-muted">
          A program with this key may do what your role allows, without a sign-in. Revoke it among your API keys.
        </p>
        <TextField label="Name" required maxLength={80} value={name} onChange={({ target }) => setName(target.value)} />
        <TextField
          label="Days until it expires"
          type="number"
          required
          min={1}
          max={366}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <ReasonField key={created?.id} />
      </NewForm>
      <div role="status">
        {created && (
          <ShownOnce
            words={`Copy the key “${created.name}” now. It is not shown again.`}
            secret={created.key}
            label={`Copy the key ${created.name}`}
          />
        )}
      </div>
    </div>
  );
}
