import { text } from "@tintype/contract";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { fieldOf } from "../../../ui/field.tsx";
import { IdentityProblem } from "../identity-problem.ts";
import { sentenceFor } from "../sentences.ts";
import { useSession, useSessionState } from "../session-context.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { Outcome } from "./outcome.tsx";

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
  return (
    <NewPasswordForm
      button="Set password"
      action={({ resetPassword }, form) => resetPassword({ token, password: fieldOf(form, "next") })}
      onDone={() => setIsDone(true)}
    />
  );
}
