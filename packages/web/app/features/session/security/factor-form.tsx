import { text } from "@tintype/contract";
import type { ReactNode } from "react";
import { fieldOf } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { AttemptError, useAttempt } from "../attempt.tsx";
import { IdentityProblem } from "../identity-problem.ts";
import { useSession } from "../session-context.tsx";

type Props = {
  button: string;
  /** Receives the form's field `value`; "" if there is none. @throws IdentityProblem */
  action(value: string): Promise<void>;
  children?: ReactNode;
};

/** A form whose submit calls the identity provider. If that requires a fresh sign-in, the person signs in and the call is repeated. */
export function FactorForm({ button, action, children }: Props) {
  const session = useSession();
  const { error, isBusy, attempt } = useAttempt();

  async function runWithFreshLogin(value: string) {
    try {
      await action(value);
    } catch (problem) {
      const isStale = problem instanceof IdentityProblem && problem.code === "recent-login-needed";
      if (!isStale || !(await session.signInAgain())) throw problem;
      await action(value);
    }
  }

  return (
    <SubmitForm
      button={button}
      isBusy={isBusy}
      onSubmit={(form) => {
        const value = fieldOf(form, "value").trim();
        void attempt({ fallback: text.somethingWrong, action: () => runWithFreshLogin(value) });
      }}
    >
      <AttemptError sentence={error} />
      {children}
    </SubmitForm>
  );
}
