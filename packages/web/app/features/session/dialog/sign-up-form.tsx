import { type PublicConfig, text } from "@tintype/contract";
import { useEffect, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { attemptErrorId } from "./attempt-error.tsx";
import { EmailField, focusFirst } from "./email-field.tsx";
import { type FormProps, fieldOf } from "./form-props.ts";

type Filled = { name: string; password: string; confirmation: string };
type Props = FormProps & {
  settings: PublicConfig["identity"] | undefined;
  /** The two passwords differ. */
  isMismatch: boolean;
  onSubmit(filled: Filled): void;
};

export function SignUpForm({ email, setEmail, isBusy, settings, isMismatch, onSubmit }: Props) {
  const confirmation = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isMismatch) confirmation.current?.focus();
  }, [isMismatch]);
  const shortest = settings?.provider === "built-in" ? settings.password_min_length : undefined;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        onSubmit({
          name: fieldOf(form, "name"),
          password: fieldOf(form, "password"),
          confirmation: fieldOf(form, "confirmation"),
        });
      }}
      className="flex flex-col gap-4"
    >
      <TextField label="Full Name" name="name" autoComplete="name" required ref={focusFirst} />
      <EmailField email={email} setEmail={setEmail} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={shortest && `At least ${shortest} characters.`}
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
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
        {isBusy ? text.processing : "Sign Up"}
      </Button>
    </form>
  );
}
