import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { AttemptError } from "../attempt.tsx";
import type { Code } from "../port.ts";
import { focusFirst } from "./email-field.tsx";

type Props = { error: string | undefined; isBusy: boolean; onSubmit(code: Code): void; onBack(): void };

/** After a correct password: the code of the authenticator app, or a recovery code. */
export function CodeForm({ error, isBusy, onSubmit, onBack }: Props) {
  const [kind, setKind] = useState<Code["kind"]>("app");
  const isApp = kind === "app";
  return (
    <SubmitForm
      noValidate
      button="Continue"
      isBusy={isBusy}
      onSubmit={(form) => onSubmit({ code: fieldOf(form, "code").trim(), kind })}
      after={
        <div className="flex flex-wrap justify-between gap-2">
          <Button kind="quiet" onClick={() => setKind(isApp ? "recovery" : "app")}>
            {isApp ? "Use a recovery code" : "Use the app"}
          </Button>
          <Button kind="quiet" onClick={onBack}>
            Back
          </Button>
        </div>
      }
    >
      <h3 className="text-xl">Second step</h3>
      <p className="-mt-2 text-sm text-muted">
        {isApp
          ? "Enter the six-digit code from your authenticator app."
          : "Enter one of your recovery codes. Each works once."}
      </p>
      <AttemptError sentence={error} />
      <TextField
        key={kind}
        ref={focusFirst}
        label={isApp ? "Code" : "Recovery code"}
        name="code"
        required
        autoComplete={isApp ? "one-time-code" : "off"}
        inputMode={isApp ? "numeric" : "text"}
        autoCapitalize="none"
        spellCheck={false}
      />
    </SubmitForm>
  );
}
