import {
  type CreatedApiKey,
  type HeldScope,
  type KeyMode,
  type KeyScope,
  keyNameLength,
  keyScopes,
} from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { dayMs } from "../../lib/day-steps.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { NewForm } from "../../ui/form.tsx";
import { Switch } from "../../ui/switch.tsx";

/** By the days until a key expires; blank for never. */
const lives = [
  { value: "", label: "Never" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
];

/** Most programs process pictures. Scopes that change the account must be added by hand. */
const defaultScopes: readonly KeyScope[] = ["process", "jobs:read", "usage:read"];

/** Creates a key with a name, scopes and a lifetime. */
export function KeyForm({ onCreated }: { onCreated(key: CreatedApiKey): void }) {
  const api = useApi();
  const [name, setName] = useState("");
  const [mode, setMode] = useState<KeyMode>("live");
  const [days, setDays] = useState("");
  const [dailyFiles, setDailyFiles] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(defaultScopes);

  async function create() {
    const expires_at = days === "" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
    const daily_files = dailyFiles.trim() === "" ? null : Number(dailyFiles);
    onCreated(await api.call("POST /keys", { json: { name, mode, scopes, expires_at, daily_files } }));
    setName("");
  }

  return (
    <NewForm title="New key" button="Create key" action={create} isDisabled={scopes.length === 0}>
      <TextField
        label="Name"
        hint="What will use it, for example “Build server”."
        required
        maxLength={keyNameLength}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">Permissions</legend>
        {keyScopes.map((scope) => (
          <Switch
            key={scope}
            {...scopeWords[scope]}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => setScopes(keyScopes.filter((one) => (one === scope ? isOn : scopes.includes(one))))}
          />
        ))}
      </fieldset>
      <TextField
        label="Files a day"
        hint="The most that it may process. Blank: no limit of its own."
        inputMode="numeric"
        pattern="[1-9][0-9]{0,5}"
        title="A whole number from 1"
        value={dailyFiles}
        onChange={({ target }) => setDailyFiles(target.value)}
      />
      <SelectField label="Expires" options={lives} value={days} onChoose={setDays} />
      <Switch
        label="Test key"
        hint="For trying out an integration."
        isOn={mode === "test"}
        onChange={(isOn) => setMode(isOn ? "test" : "live")}
      />
    </NewForm>
  );
}

/** The permission that a scope grants, in plain words. */
export const scopeWords: Record<HeldScope, { label: string; hint: string }> = {
  process: {
    label: "Process images",
    hint: isPrivate ? "Can cancel its jobs." : "Uses your credits and can cancel its jobs.",
  },
  "jobs:read": { label: "Read jobs", hint: "Progress and results." },
  "usage:read": {
    label: "Read usage",
    hint: isPrivate ? "What you did." : "Your plan, credits left, credit history and usage.",
  },
  "recipes:write": { label: "Change recipes", hint: "Saves, changes and deletes your recipes." },
  "webhooks:read": { label: "Read webhooks", hint: "Their addresses and deliveries." },
  "webhooks:write": { label: "Change webhooks", hint: "Creates and removes webhooks, and sees their secrets." },
  "keys:read": { label: "List keys", hint: "Names and last four characters." },
  admin: { label: "Operator’s desk", hint: "What your role allows." },
  "keys:revoke": { label: "Revoke keys", hint: "Revokes any of your keys. No key can create one." },
};
