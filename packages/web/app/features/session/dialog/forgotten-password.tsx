import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { AttemptError } from "../attempt.tsx";
import { EmailField, type FormProps } from "./email-field.tsx";

type Props = FormProps & {
  error: string | undefined;
  /** Resolves to whether the provider accepted it. */
  onSend(): Promise<boolean>;
  onBack(): void;
};

/** Requests the mail with a password reset link. */
export function ForgottenPassword({ email, setEmail, isBusy, error, onSend, onBack }: Props) {
  const [isSent, setIsSent] = useState(false);
  async function send() {
    setIsSent(false);
    setIsSent(await onSend());
  }
  return (
    <>
      <p className="mb-4 text-sm text-muted">Enter your email and we will send you a link to set a new password.</p>
      <AttemptError sentence={error} />
      <SubmitForm
        button="Send link"
        isBusy={isBusy}
        onSubmit={() => void send()}
        after={
          <Button kind="quiet" onClick={onBack}>
            Back to log in
          </Button>
        }
      >
        <EmailField email={email} setEmail={setEmail} isFirst />
        <div role="status">
          {isSent && (
            <p className="rounded-md bg-sunken px-4 py-3 text-sm">
              If there is an account with this email, we have sent a link to set a new password. It works for an hour.
            </p>
          )}
        </div>
      </SubmitForm>
    </>
  );
}
