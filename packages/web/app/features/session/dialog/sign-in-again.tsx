import { text } from "@tintype/contract";
import { useEffect, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { Methods, Person } from "../port.ts";
import { useAttempt } from "../use-attempt.ts";
import { useSessionWork } from "../use-session-work.ts";
import { AttemptError } from "./attempt-error.tsx";
import { CodeForm } from "./code-form.tsx";
import { focusFirst } from "./email-field.tsx";
import { fieldOf } from "./form-props.ts";
import { GoogleButton } from "./google-button.tsx";

/** Asks someone who signed in a while ago to authenticate again, by a method that they have. */
export function SignInAgain({ person, onDone }: { person: Person; onDone(): void }) {
  const work = useSessionWork();
  const methods = useMethods();
  const { error, setError, isBusy, attempt } = useAttempt(work);
  const [needsCode, setNeedsCode] = useState(false);

  async function tryWay(act: Parameters<typeof attempt>[0]["act"]) {
    if (await attempt({ fallback: text.loginFailed, act })) onDone();
  }
  async function signIn(password: string) {
    let isDone = false;
    await attempt({
      fallback: text.loginFailed,
      // The email is fixed here, so only the password can be wrong.
      instead: { "wrong-credentials": "Wrong password." },
      async act({ signIn }) {
        const outcome = await signIn({ email: person.email, password });
        if (outcome === "code-needed") setNeedsCode(true);
        isDone = outcome === "signed-in";
      },
    });
    if (isDone) onDone();
  }

  if (needsCode)
    return (
      <CodeForm
        error={error}
        isBusy={isBusy}
        onSubmit={(code) => void tryWay(({ verifyCode }) => verifyCode(code))}
        onBack={() => {
          setError(undefined);
          setNeedsCode(false);
        }}
      />
    );
  return (
    <>
      <p className="mb-5 text-sm text-muted">
        You signed in as <span className="text-ink wrap-anywhere">{person.email}</span> a while ago. Sign in again to
        continue.
      </p>
      <AttemptError sentence={error} />
      <div className="flex flex-col gap-4">
        {methods?.passkey && (
          <Button
            size="lg"
            kind={methods.password ? "secondary" : "primary"}
            aria-disabled={isBusy}
            onClick={() => void tryWay(({ signInWithPasskey }) => signInWithPasskey())}
          >
            Use a passkey
          </Button>
        )}
        {methods?.password && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void signIn(fieldOf(new FormData(event.currentTarget), "password"));
            }}
            className="flex flex-col gap-4"
          >
            <input type="hidden" name="username" autoComplete="username" value={person.email} />
            <TextField
              ref={focusFirst}
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
            <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
              {isBusy ? text.processing : "Continue"}
            </Button>
          </form>
        )}
        {methods?.google && (
          <GoogleButton isBusy={isBusy} onClick={() => void tryWay(({ signInWithGoogle }) => signInWithGoogle())} />
        )}
      </div>
    </>
  );
}

/** The account's sign-in methods; all but passkeys if the provider does not answer. */
function useMethods(): Methods | undefined {
  const work = useSessionWork();
  const [methods, setMethods] = useState<Methods>();
  useEffect(() => {
    let isHere = true;
    work?.methods().then(
      (found) => isHere && setMethods(found),
      () => isHere && setMethods({ password: true, google: true, passkey: false }),
    );
    return () => {
      isHere = false;
    };
  }, [work]);
  return methods;
}
