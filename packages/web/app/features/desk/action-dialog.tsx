import type { ComponentProps } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { fieldOf, TextField } from "../../ui/field.tsx";

type Props = Omit<ComponentProps<typeof ConfirmDialog>, "label" | "action"> & {
  /** Performs the action, with the reason that was typed. */
  action(reason: string): Promise<unknown>;
  /** Called after the action. Then the dialog closes. */
  onDone(): void | Promise<void>;
  /** The initial value of the reason field. */
  defaultReason?: string;
};

/** A button that opens a dialog for a change that needs a reason. */
export function ActionDialog({ action, onDone, defaultReason, children, ...rest }: Props) {
  return (
    <ConfirmDialog
      {...rest}
      label={rest.title}
      action={async (form) => {
        await action(fieldOf(form, "reason"));
        await onDone();
      }}
    >
      {children}
      <ReasonField defaultValue={defaultReason} />
    </ConfirmDialog>
  );
}

/** Why an operator changes something, as the desk's calls require. */
export const ReasonField = ({ defaultValue }: { defaultValue?: string | undefined }) => (
  <TextField
    label="Reason"
    name="reason"
    hint="It is recorded in the audit log."
    required
    minLength={3}
    maxLength={500}
    defaultValue={defaultValue}
  />
);
