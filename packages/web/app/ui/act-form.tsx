import type { ComponentProps, ReactNode } from "react";
import { useAct } from "../lib/use-act.ts";
import { SubmitForm } from "./submit-form.tsx";

type Props = Omit<ComponentProps<typeof SubmitForm>, "isBusy" | "onSubmit"> & {
  /** Performs the submit. The form shows its error. */
  act(form: FormData): Promise<unknown>;
  /** Shown above the error. */
  opening?: ReactNode;
};

/** A form whose submit is one API call. It cannot be submitted twice at once, and shows what went wrong. */
export function ActForm({ act, opening, children, ...rest }: Props) {
  const { problem, isBusy, act: attempt } = useAct();
  return (
    <SubmitForm {...rest} isBusy={isBusy} onSubmit={(form) => void attempt(() => act(form))}>
      {opening}
      <div role="alert" className="empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      {children}
    </SubmitForm>
  );
}
