import type { PublicConfig } from "@tintype/contract";
import { TextField } from "../../../ui/field.tsx";

type Props = {
  /** Undefined until loaded. */
  settings: PublicConfig["identity"] | undefined;
  /** Id of the message that the two differ. */
  problemId: string | undefined;
};

/** A new password, twice: the fields `next` and `confirmation`. */
export function NewPassword({ settings, problemId }: Props) {
  const shortest = settings?.provider === "built-in" ? settings.password_min_length : undefined;
  return (
    <>
      <TextField
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        hint={shortest && `At least ${shortest} characters.`}
      />
      <TextField
        label="Confirm new password"
        name="confirmation"
        type="password"
        autoComplete="new-password"
        required
        problemId={problemId}
      />
    </>
  );
}
