import { text } from "@tintype/contract";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { EmailField } from "./email-field.tsx";
import { type FormProps, fieldOf } from "./form-props.ts";

type Props = FormProps & { onSubmit(password: string): void; onForgotten(): void };

export function LogInForm({ email, setEmail, isBusy, onSubmit, onForgotten }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(fieldOf(new FormData(event.currentTarget), "password"));
      }}
      className="flex flex-col gap-4"
    >
      <EmailField email={email} setEmail={setEmail} isFirst />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <button
        type="button"
        onClick={onForgotten}
        className="-my-1 self-start rounded-sm py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
      >
        Forgot your password?
      </button>
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
        {isBusy ? text.processing : "Log In"}
      </Button>
    </form>
  );
}
