import { text } from "@tintype/contract";
import type { ReactNode } from "react";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { AttemptError, attemptErrorId, useAttempt } from "../attempt.tsx";
import type { SessionWork } from "../work/create-session-work.ts";

type Props = {
  button: string;
  /** Sets the new password, the field `next`. */
  action(work: SessionWork, form: FormData): Promise<void>;
  onDone(): void;
  /** Fields above the new password. */
  children?: ReactNode;
};

/** Asks for a new password, twice. */
export function NewPasswordForm({ button, action, onDone, children }: Props) {
  const { error, setError, isBusy, attempt, passwordMinLength } = useAttempt();

  async function submit(form: FormData) {
    if (fieldOf(form, "next") !== fieldOf(form, "confirmation")) return setError(text.passwordsDiffer);
    const isSet = await attempt({ fallback: text.somethingWrong, action: (loaded) => action(loaded, form) });
    if (isSet) onDone();
  }

  return (
    <SubmitForm button={button} isBusy={isBusy} onSubmit={(form) => void submit(form)}>
      <AttemptError sentence={error} />
      {children}
      <TextField
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        hint={passwordMinLength && `At least ${passwordMinLength} characters.`}
      />
      <TextField
        label="Confirm new password"
        name="confirmation"
        type="password"
        autoComplete="new-password"
        required
        problemId={error === text.passwordsDiffer ? attemptErrorId : undefined}
      />
    </SubmitForm>
  );
}
