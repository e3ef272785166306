import { text } from "@tintype/contract";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { AttemptError, attemptErrorId } from "../dialog/attempt-error.tsx";
import { fieldOf } from "../dialog/form-props.ts";
import { IdentityProblem } from "../identity-problem.ts";
import { sentenceFor } from "../sentences.ts";
import { useSession, useSessionState } from "../session-context.tsx";
import { useAttempt } from "../use-attempt.ts";
import { useSessionWork } from "../use-session-work.ts";
import { NewPassword } from "./new-password.tsx";

const spent = sentenceFor(new IdentityProblem("reset-link-spent"), { fallback: text.somethingWrong });

/** The page that the password reset mail links to. */
export function SetPassword() {
  const search = new URLSearchParams(useLocation().search);
  // The built-in provider calls it `token`, Firebase `oobCode`.
  const token = search.get("token") ?? search.get("oobCode");
  const session = useSession();
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  const [isDone, setIsDone] = useState(false);
  const logIn = () => session.openDialog({ tab: "login" });

  if (isDone)
    return (
      <Outcome sentence="Your password has been changed.">
        {isSignedIn ? (
          <Link to="/account" className={buttonClasses({ kind: "primary", size: "lg" })}>
            Go to your account
          </Link>
        ) : (
          <Button kind="primary" size="lg" onClick={logIn}>
            Log In
          </Button>
        )}
      </Outcome>
    );
  if (!token)
    return (
      <Outcome sentence={spent}>
        <Button size="lg" onClick={logIn}>
          Go to login
        </Button>
      </Outcome>
    );
  return <PasswordForm token={token} onDone={() => setIsDone(true)} />;
}

function Outcome({ sentence, children }: { sentence: string; children: ReactNode }) {
  return (
    <div role="status">
      <p className="mb-6">{sentence}</p>
      {children}
    </div>
  );
}

function PasswordForm({ token, onDone }: { token: string; onDone(): void }) {
  const work = useSessionWork();
  const { error, setError, isBusy, attempt } = useAttempt(work);

  async function set(form: FormData) {
    const password = fieldOf(form, "next");
    if (password !== fieldOf(form, "confirmation")) return setError(text.passwordsDiffer);
    const isSet = await attempt({
      fallback: text.somethingWrong,
      act: ({ resetPassword }) => resetPassword({ token, password }),
    });
    if (isSet) onDone();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void set(new FormData(event.currentTarget));
      }}
      className="flex flex-col gap-4"
    >
      <AttemptError sentence={error} />
      <NewPassword settings={work?.settings} problemId={error === text.passwordsDiffer ? attemptErrorId : undefined} />
      <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
        {isBusy ? text.processing : "Set password"}
      </Button>
    </form>
  );
}
