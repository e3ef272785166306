import { TextField } from "../../ui/field.tsx";

/** Why an operator changes something, as the desk's calls require. */
export const ReasonField = ({ value, onChange }: { value: string; onChange(reason: string): void }) => (
  <TextField
    label="Reason"
    hint="It is recorded in the audit log."
    required
    minLength={3}
    maxLength={500}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
);
