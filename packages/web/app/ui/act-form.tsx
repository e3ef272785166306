import { text } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { type ReactNode, useState } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { Button } from "./button.tsx";

type Props = {
  button: string;
  /** Performs the submit. The form shows its error. */
  act(form: FormData): Promise<unknown>;
  isDisabled?: boolean;
  size?: "sm" | "lg";
  /** Shown above the error. */
  opening?: ReactNode;
  "aria-labelledby"?: string;
  className?: string;
  children?: ReactNode;
};

/** A form whose submit is one API call. It cannot be submitted twice at once, and shows what went wrong. */
export function ActForm({
  button,
  act,
  isDisabled = false,
  size = "lg",
  opening,
  className = "gap-4",
  children,
  ...named
}: Props) {
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
    <form
      {...named}
      className={joinClasses("flex flex-col", className)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {opening}
      <div role="alert" className="empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      {children}
      {/* Not `disabled` while busy: a disabled button loses the focus. */}
      <Button type="submit" kind="primary" size={size} aria-disabled={isBusy} disabled={isDisabled}>
        {isBusy ? text.processing : button}
      </Button>
    </form>
  );
}
