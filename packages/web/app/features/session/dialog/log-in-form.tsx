import { fieldOf, TextField } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { EmailField, type FormProps } from "./email-field.tsx";

type Props = FormProps & { onSubmit(password: string): void; onForgotten(): void };

export function LogInForm({ email, setEmail, isBusy, onSubmit, onForgotten }: Props) {
  return (
    <SubmitForm button="Log In" isBusy={isBusy} onSubmit={(form) => onSubmit(fieldOf(form, "password"))}>
      <EmailField email={email} setEmail={setEmail} isFirst />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <button
        type="button"
        onClick={onForgotten}
        className="-my-1 self-start rounded-sm py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
      >
        Forgot your password?
      </button>
    </SubmitForm>
  );
}
