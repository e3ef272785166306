import { useEffect, useRef } from "react";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { attemptErrorId } from "../attempt.tsx";
import { EmailField, type FormProps, focusFirst } from "./email-field.tsx";

type Filled = { name: string; password: string; confirmation: string };
type Props = FormProps & {
  /** Undefined if it is unknown. */
  passwordMinLength: number | undefined;
  /** Those whose people may sign up; none means anyone. */
  domains: readonly string[];
  /** The two passwords differ. */
  isMismatch: boolean;
  onSubmit(filled: Filled): void;
};

export function SignUpForm({ email, setEmail, isBusy, passwordMinLength, domains, isMismatch, onSubmit }: Props) {
  const confirmation = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isMismatch) confirmation.current?.focus();
  }, [isMismatch]);

  return (
    <SubmitForm
      button="Sign Up"
      isBusy={isBusy}
      onSubmit={(form) =>
        onSubmit({
          name: fieldOf(form, "name"),
          password: fieldOf(form, "password"),
          confirmation: fieldOf(form, "confirmation"),
        })
      }
    >
      <TextField label="Full Name" name="name" autoComplete="name" required ref={focusFirst} />
      <EmailField
        email={email}
        setEmail={setEmail}
        hint={domains.length > 0 && `At ${domains.join(" or ")}. We send a link there.`}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={passwordMinLength && `At least ${passwordMinLength} characters.`}
      />
      <TextField
        label="Confirm Password"
        name="confirmation"
        type="password"
        autoComplete="new-password"
        required
        ref={confirmation}
        problemId={isMismatch ? attemptErrorId : undefined}
      />
    </SubmitForm>
  );
}
