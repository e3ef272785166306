import { text } from "@tintype/contract";
import { useEffect, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toast-area.tsx";
import { AttemptError, attemptErrorId } from "../dialog/attempt-error.tsx";
import { fieldOf } from "../dialog/form-props.ts";
import { useAttempt } from "../use-attempt.ts";
import { useSessionWork } from "../use-session-work.ts";
import { NewPassword } from "./new-password.tsx";

/** The button, for accounts with a password, and its dialog. */
export function UpdatePassword() {
  const hasPassword = useHasPassword();
  const [isOpen, setIsOpen] = useState(false);
  if (!hasPassword) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Update Password</Button>
      <Dialog title="Update Password" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <PasswordForm onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function useHasPassword(): boolean {
  const work = useSessionWork();
  const [hasPassword, setHasPassword] = useState(false);
  useEffect(() => {
    let isHere = true;
    work?.methods().then(
      ({ password }) => isHere && setHasPassword(password),
      () => undefined, // without an answer the button stays hidden; the next visit asks again
    );
    return () => {
      isHere = false;
    };
  }, [work]);
  return hasPassword;
}

function PasswordForm({ onDone }: { onDone(): void }) {
  const work = useSessionWork();
  const notify = useToasts();
  const { error, setError, isBusy, attempt } = useAttempt(work);

  async function change(form: FormData) {
    const next = fieldOf(form, "next");
    if (next !== fieldOf(form, "confirmation")) return setError(text.passwordsDiffer);
    const passwords = { current: fieldOf(form, "current"), next };
    const isChanged = await attempt({
      fallback: text.somethingWrong,
      act: ({ changePassword }) => changePassword(passwords),
    });
    if (!isChanged) return;
    notify.success("Your password has been changed.");
    onDone();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void change(new FormData(event.currentTarget));
      }}
      className="flex flex-col gap-4"
    >
      <AttemptError sentence={error} />
      <TextField label="Current password" name="current" type="password" autoComplete="current-password" required />
      <NewPassword settings={work?.settings} problemId={error === text.passwordsDiffer ? attemptErrorId : undefined} />
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
        {isBusy ? text.processing : "Update Password"}
      </Button>
    </form>
  );
}
