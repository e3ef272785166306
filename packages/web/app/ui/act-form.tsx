import { text } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { type ReactNode, useState } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { Button } from "./button.tsx";

type Props = {
  button: string;
  /** Does what a submit is for. Its failure is said in the form. */
  act(): Promise<void>;
  isDisabled?: boolean;
  size?: "sm" | "lg";
  /** Above the sentence of a failure. */
  opening?: ReactNode;
  "aria-labelledby"?: string;
  className?: string;
  children?: ReactNode;
};

/** A form whose submit is one call of the API. It is not sent twice, and says what went wrong. */
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
  async function submit() {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await act();
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
        void submit();
      }}
    >
      {opening}
      <div role="alert" className="empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      {children}
      {/* Not disabled while busy: a button that is would lose the focus. */}
      <Button type="submit" kind="primary" size={size} aria-disabled={isBusy} disabled={isDisabled}>
        {isBusy ? text.processing : button}
      </Button>
    </form>
  );
}

/** Asks once more before something is done. */
export function ConfirmForm({ words, ...rest }: Omit<Props, "opening"> & { words: string }) {
  return <ActForm {...rest} opening={<p className="text-sm text-muted wrap-anywhere">{words}</p>} />;
}
