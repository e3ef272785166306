import { sentenceOf } from "@tintype/contract/api";
import { type ComponentProps, type ReactNode, useState } from "react";
import { SubmitForm } from "./submit-form.tsx";

type Props = Omit<ComponentProps<typeof SubmitForm>, "isBusy" | "onSubmit"> & {
  /** Performs the submit. The form shows its error. */
  act(form: FormData): Promise<unknown>;
  /** Shown above the error. */
  opening?: ReactNode;
};

/** A form whose submit is one API call. It cannot be submitted twice at once, and shows what went wrong. */
export function ActForm({ act, opening, children, ...rest }: Props) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  async function submit(form: FormData) {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await act(form);
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <SubmitForm {...rest} isBusy={isBusy} onSubmit={(form) => void submit(form)}>
      {opening}
      <div role="alert" className="empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      {children}
    </SubmitForm>
  );
}
