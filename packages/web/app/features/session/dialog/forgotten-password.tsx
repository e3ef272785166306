import { text } from "@tintype/contract";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { AttemptError } from "./attempt-error.tsx";
import { EmailField } from "./email-field.tsx";
import type { FormProps } from "./form-props.ts";

type Props = FormProps & {
  error: string | undefined;
  /** Resolves to whether the provider accepted it. */
  onSend(): Promise<boolean>;
  onBack(): void;
};

/** Requests the mail with a password reset link. */
export function ForgottenPassword({ email, setEmail, isBusy, error, onSend, onBack }: Props) {
  const [isSent, setIsSent] = useState(false);
  return (
    <>
      <p className="mb-4 text-sm text-muted">Enter your email and we will send you a link to set a new password.</p>
      <AttemptError sentence={error} />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          setIsSent(false);
          setIsSent(await onSend());
        }}
        className="flex flex-col gap-4"
      >
        <EmailField email={email} setEmail={setEmail} isFirst />
        <div role="status">
          {isSent && (
            <p className="rounded-md bg-sunken px-4 py-3 text-sm">
              If there is an account with this email, we have sent a link to set a new password. It works for an hour.
            </p>
          )}
        </div>
        <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
          {isBusy ? text.processing : "Send link"}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Back to log in
        </Button>
      </form>
    </>
  );
}
