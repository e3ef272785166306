import type { ReactNode } from "react";
import { TextField } from "../../../ui/field.tsx";

/** Props shared by the dialog's forms: an email typed into one appears in the others. */
export type FormProps = {
  email: string;
  setEmail(email: string): void;
  isBusy: boolean;
};

type Props = Pick<FormProps, "email" | "setEmail"> & { isFirst?: boolean; hint?: ReactNode };

export function EmailField({ email, setEmail, isFirst = false, hint }: Props) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      hint={hint}
      value={email}
      onChange={({ target }) => setEmail(target.value)}
      ref={isFirst ? focusFirst : undefined}
    />
  );
}

/**
 * As an attribute, which a dialog looks for when it opens; React's own prop would focus before that. In a dialog that
 * is already open, it takes the focus if the form that had it is gone.
 */
export function focusFirst(element: HTMLInputElement | null): void {
  element?.setAttribute("autofocus", "");
  if (element?.closest("dialog")?.open && document.activeElement === document.body) element.focus();
}
