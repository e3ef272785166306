import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMethods } from "../use-session-work.ts";
import { NewPasswordForm } from "./new-password-form.tsx";

/** The button, for accounts with a password, and its dialog. */
export function UpdatePassword() {
  const notify = useToasts();
  const methods = useMethods();
  const [isOpen, setIsOpen] = useState(false);
  // Without an answer the button stays hidden; the next visit asks again.
  if (!methods?.password) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Update Password</Button>
      <Dialog title="Update Password" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <NewPasswordForm
          button="Update Password"
          action={({ changePassword }, form) =>
            changePassword({ current: fieldOf(form, "current"), next: fieldOf(form, "next") })
          }
          onDone={() => {
            notify.success("Your password has been changed.");
            setIsOpen(false);
          }}
        >
          <TextField label="Current password" name="current" type="password" autoComplete="current-password" required />
        </NewPasswordForm>
      </Dialog>
    </>
  );
}
