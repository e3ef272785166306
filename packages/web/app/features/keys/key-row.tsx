import type { ApiKey, CreatedApiKey } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { ConfirmForm } from "../../ui/act-form.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { endText, lastUsedText, scopeWords } from "./scope-words.ts";

type Props = { apiKey: ApiKey; onRotated(key: CreatedApiKey): void; onRevoked(): void };

/** By hours. */
const overlaps = [
  { value: "0", label: "Immediately" },
  { value: "1", label: "In an hour" },
  { value: "24", label: "In a day" },
  { value: "72", label: "In three days" },
];

/** A key and its actions, each of which asks for confirmation. */
export function KeyRow({ apiKey, onRotated, onRevoked }: Props) {
  const [asks, setAsks] = useState<"rotate" | "revoke">();
  const { name, last_four, mode, scopes } = apiKey;
  const close = () => setAsks(undefined);
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 py-5">
      <div className="mr-auto min-w-0">
        <h3 className="font-sans text-base font-medium tracking-normal wrap-anywhere">
          {name} <code className="text-sm font-normal text-muted">…{last_four}</code>
        </h3>
        <p className="mt-1 text-sm text-muted first-letter:uppercase">
          {[mode === "test" ? "test key" : "", ...scopes.map((scope) => scopeWords[scope].label.toLowerCase())]
            .filter(Boolean)
            .join(", ")}
        </p>
        <p className="text-sm text-muted first-letter:uppercase">
          {lastUsedText(apiKey)}, {endText(apiKey)}
        </p>
      </div>
      <div className="flex gap-2">
        {/* Keys for the desk are made at the desk. */}
        {!scopes.includes("admin") && (
          <Button size="sm" aria-label={`Rotate ${name}, …${last_four}`} onClick={() => setAsks("rotate")}>
            Rotate
          </Button>
        )}
        <Button size="sm" aria-label={`Revoke ${name}, …${last_four}`} onClick={() => setAsks("revoke")}>
          Revoke
        </Button>
      </div>
      <Dialog title="Rotate key" isOpen={asks === "rotate"} onClose={close}>
        <RotateForm
          apiKey={apiKey}
          onDone={(created) => {
            close();
            onRotated(created);
          }}
        />
      </Dialog>
      <Dialog title="Revoke key" isOpen={asks === "revoke"} onClose={close}>
        <RevokeForm
          apiKey={apiKey}
          onDone={() => {
            close();
            onRevoked();
          }}
        />
      </Dialog>
    </li>
  );
}

function RotateForm({ apiKey: { id, name }, onDone }: { apiKey: ApiKey; onDone(created: CreatedApiKey): void }) {
  const api = useApi();
  const [hours, setHours] = useState("24");
  return (
    <ConfirmForm
      words={`“${name}” gets a new key. Both work until the old one expires.`}
      button="Rotate"
      act={async () =>
        onDone(await api.call("POST /keys/{id}/rotate", { params: { id }, json: { overlap_hours: Number(hours) } }))
      }
    >
      <SelectField label="The old key expires" options={overlaps} value={hours} onChoose={setHours} />
    </ConfirmForm>
  );
}

function RevokeForm({ apiKey: { id, name }, onDone }: { apiKey: ApiKey; onDone(): void }) {
  const api = useApi();
  return (
    <ConfirmForm
      words={`Anything that uses “${name}” stops working immediately. This cannot be undone.`}
      button="Revoke"
      act={async () => {
        await api.call("DELETE /keys/{id}", { params: { id } });
        onDone();
      }}
    />
  );
}
