import { type CreatedApiKey, type KeyMode, type KeyScope, keyNameLength, keyScopes, text } from "@tintype/contract";
import { useId, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { scopeWords } from "./scope-words.ts";
import { sentenceOf } from "./use-keys.ts";

const dayMs = 86_400_000;
/** Days until a key ends; blank for never. */
const lives = [
  { days: "", label: "Until I revoke it" },
  { days: "30", label: "30 days" },
  { days: "90", label: "90 days" },
  { days: "365", label: "A year" },
] as const;

/** Makes a key: its name, what it may do, how long it lives. */
export function KeyForm({ onCreated }: { onCreated(key: CreatedApiKey): void }) {
  const api = useApi();
  const headingId = useId();
  const [name, setName] = useState("");
  const [mode, setMode] = useState<KeyMode>("live");
  const [days, setDays] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(keyScopes);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function create() {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    const expires_at = days === "" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
    try {
      onCreated(await api.call("POST /keys", { json: { name, mode, scopes, expires_at } }));
      setName("");
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
        New key
      </h2>
      <div role="alert" className="empty:-mb-5">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      <TextField
        label="Name"
        hint="What uses it, as in “Build server”."
        required
        maxLength={keyNameLength}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">It may</legend>
        {keyScopes.map((scope) => (
          <Switch
            key={scope}
            {...scopeWords[scope]}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => setScopes(keyScopes.filter((one) => (one === scope ? isOn : scopes.includes(one))))}
          />
        ))}
      </fieldset>
      <SelectField label="Lives" value={days} onChange={({ target }) => setDays(target.value)}>
        {lives.map((life) => (
          <option key={life.days} value={life.days}>
            {life.label}
          </option>
        ))}
      </SelectField>
      <Switch
        label="Test key"
        hint="For trying an integration out."
        isOn={mode === "test"}
        onChange={(isOn) => setMode(isOn ? "test" : "live")}
      />
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy} disabled={scopes.length === 0}>
        {isBusy ? text.processing : "Create key"}
      </Button>
    </form>
  );
}
