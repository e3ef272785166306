import { text } from "@tintype/contract";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { fieldOf } from "../../../ui/field.tsx";
import { NewPasswordForm } from "../account/new-password-form.tsx";
import { Outcome } from "../account/outcome.tsx";
import { AttemptError, useAttempt } from "../attempt.tsx";
import { IdentityProblem } from "../identity-problem.ts";
import { sentenceFor } from "../sentences.ts";
import { useSession, useSessionState } from "../session-context.tsx";
import type { SessionWork } from "../work/create-session-work.ts";

const spent = sentenceFor(new IdentityProblem("verification-link-spent"), { fallback: text.somethingWrong });

/**
 * The page that the verification mail leads to in a browser that is not logged in to the account. Anyone can sign up with
 * anyone's email, so the link alone is not enough: the password of the sign-up shows that the account is the reader's own.
 */
export function VerifyAddress() {
  const search = new URLSearchParams(useLocation().search);
  const [link, token] = [search.get("link"), search.get("token")];
  const session = useSession();
  const person = useSessionState(({ visitor }) => (visitor.kind === "person" ? visitor.person : undefined));
  const { error, isBusy, attempt } = useAttempt();
  const [done, setDone] = useState<"verified" | "password-set">();
  const logIn = (onSuccess?: () => void) => session.openDialog({ tab: "login", ...(onSuccess && { onSuccess }) });

  async function verify(mailed: string) {
    const action = async ({ verifyAddress, refreshUsage }: SessionWork) => {
      await verifyAddress?.(mailed);
      await refreshUsage();
    };
    if (await attempt({ fallback: text.somethingWrong, action })) setDone("verified");
  }

  if (done === "verified")
    return (
      <Outcome sentence="Your email is verified.">
        <Link to="/account" className={buttonClasses({ kind: "primary", size: "lg" })}>
          Go to your account
        </Link>
      </Outcome>
    );
  if (done === "password-set")
    return (
      <Outcome sentence="Your email is verified, and your new password is set.">
        <Button kind="primary" size="lg" onClick={() => logIn()}>
          Log In
        </Button>
      </Outcome>
    );
  if (!link || !token)
    return (
      <Outcome sentence={spent}>
        <Button size="lg" onClick={() => logIn()}>
          Go to login
        </Button>
      </Outcome>
    );
  return (
    <>
      <section aria-labelledby="yours">
        <h2 id="yours" className="text-2xl">
          Did you sign up?
        </h2>
        {person ? (
          <>
            <p className="mt-2 mb-4 wrap-anywhere">
              You are logged in as {person.email}. If the link was sent to another address, log out first.
            </p>
            <AttemptError sentence={error} />
            <div className="flex flex-wrap gap-3">
              <Button kind="primary" size="lg" aria-disabled={isBusy} onClick={() => void verify(link)}>
                Verify email
              </Button>
              <Button
                size="lg"
                aria-disabled={isBusy}
                onClick={() => void attempt({ fallback: text.somethingWrong, action: ({ signOut }) => signOut() })}
              >
                Log Out
              </Button>
            </div>
          </>
        ) : (
          <>
            <p className="mt-2 mb-4">Log in with the password you chose. Your account stays as it is.</p>
            <AttemptError sentence={error} />
            <Button kind="primary" size="lg" onClick={() => logIn(() => void verify(link))}>
              Log In
            </Button>
          </>
        )}
      </section>
      <section aria-labelledby="not-yours" className="mt-12">
        <h2 id="not-yours" className="text-2xl">
          Was it someone else?
        </h2>
        <p className="mt-2 mb-4">
          Set a password to make the account yours, also if you have forgotten the first one. Passkeys, API keys,
          webhooks and recipes made in it so far are removed, and all other browsers are logged out.
        </p>
        <NewPasswordForm
          button="Set password"
          action={({ resetPassword }, form) => resetPassword({ token, password: fieldOf(form, "next") })}
          onDone={() => setDone("password-set")}
        />
      </section>
    </>
  );
}
