import type { ApiKey, CreatedApiKey } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import { countOf } from "../../lib/size.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { fieldOf, SelectField } from "../../ui/field.tsx";
import { scopeWords } from "./key-form.tsx";

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
  const api = useApi();
  const { id, name, last_four, mode, scopes } = apiKey;
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
          {apiKey.daily_files !== null && `, at most ${countOf(apiKey.daily_files, "file")} a day`}
        </p>
      </div>
      <div className="flex gap-2">
        {/* Keys for the desk are made at the desk. */}
        {!scopes.includes("admin") && (
          <ConfirmDialog
            label="Rotate"
            aria-label={`Rotate ${name}, …${last_four}`}
            title="Rotate key"
            words={`“${name}” gets a new key. Both work until the old one expires.`}
            button="Rotate"
            action={async (form) => {
              const overlap_hours = Number(fieldOf(form, "overlap"));
              onRotated(await api.call("POST /keys/{id}/rotate", { params: { id }, json: { overlap_hours } }));
            }}
          >
            <OverlapField />
          </ConfirmDialog>
        )}
        <ConfirmDialog
          label="Revoke"
          aria-label={`Revoke ${name}, …${last_four}`}
          title="Revoke key"
          words={`Anything that uses “${name}” stops working immediately. This cannot be undone.`}
          button="Revoke"
          action={async () => {
            await api.call("DELETE /keys/{id}", { params: { id } });
            onRevoked();
          }}
        />
      </div>
    </li>
  );
}

const lastUsedText = ({ last_used_at }: Pick<ApiKey, "last_used_at">): string =>
  last_used_at === null ? "never used" : `last used ${formatMoment(last_used_at)}`;

const endText = ({ expires_at }: Pick<ApiKey, "expires_at">): string =>
  expires_at === null ? "does not expire" : `expires ${formatMoment(expires_at)}`;

function OverlapField() {
  const [hours, setHours] = useState("24");
  return (
    <SelectField label="The old key expires" name="overlap" options={overlaps} value={hours} onChoose={setHours} />
  );
}
