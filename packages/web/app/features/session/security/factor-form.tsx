import { text } from "@tintype/contract";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { AttemptError } from "../dialog/attempt-error.tsx";
import { fieldOf } from "../dialog/form-props.ts";
import { IdentityProblem } from "../identity-problem.ts";
import { useSession } from "../session-context.tsx";
import { useAttempt } from "../use-attempt.ts";
import { useSessionWork } from "../use-session-work.ts";

type Props = {
  button: string;
  /** Receives the form's field `value`; "" if there is none. @throws IdentityProblem */
  act(value: string): Promise<void>;
  children?: ReactNode;
};

/** A form whose submit calls the identity provider. If that requires a fresh sign-in, the person signs in and the call is repeated. */
export function FactorForm({ button, act, children }: Props) {
  const session = useSession();
  const { error, isBusy, attempt } = useAttempt(useSessionWork());

  async function actFresh(value: string) {
    try {
      await act(value);
    } catch (problem) {
      const isStale = problem instanceof IdentityProblem && problem.code === "recent-login-needed";
      if (!isStale || !(await session.signInAgain())) throw problem;
      await act(value);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const value = fieldOf(new FormData(event.currentTarget), "value").trim();
        void attempt({ fallback: text.somethingWrong, act: () => actFresh(value) });
      }}
      className="flex flex-col gap-4"
    >
      <AttemptError sentence={error} />
      {children}
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
        {isBusy ? text.processing : button}
      </Button>
    </form>
  );
}
