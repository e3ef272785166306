import { TextField } from "../../ui/field.tsx";

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
