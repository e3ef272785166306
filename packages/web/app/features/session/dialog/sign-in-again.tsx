import { text } from "@tintype/contract";
import { useState } from "react";
import { hasPasskeys } from "../../../lib/has-passkeys.ts";
import { Button } from "../../../ui/button.tsx";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { SubmitForm } from "../../../ui/form.tsx";
import { AttemptError, useAttempt } from "../attempt.tsx";
import type { Methods, Person } from "../port.ts";
import { useMethods } from "../use-session-work.ts";
import { CodeForm } from "./code-form.tsx";
import { focusFirst } from "./email-field.tsx";

/** Offered if the provider does not say which methods the account has. */
const defaultMethods: Methods = { password: true, google: true, passkey: false };

/** Asks someone who signed in a while ago to authenticate again, by a method that they have. */
export function SignInAgain({ person, onDone }: { person: Person; onDone(): void }) {
  const methods = useMethods(defaultMethods);
  const { error, setError, isBusy, attempt } = useAttempt();
  const [needsCode, setNeedsCode] = useState(false);

  async function tryMethod(action: Parameters<typeof attempt>[0]["action"]) {
    if (await attempt({ fallback: text.loginFailed, action })) onDone();
  }
  async function signIn(password: string) {
    let isDone = false;
    await attempt({
      fallback: text.loginFailed,
      // The email is fixed here, so only the password can be wrong.
      instead: { "wrong-credentials": "Wrong password." },
      async action({ signIn }) {
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
        onSubmit={(code) => void tryMethod(({ verifyCode }) => verifyCode(code))}
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
        {methods?.passkey && hasPasskeys() && (
          <Button
            size="lg"
            kind={methods.password ? "secondary" : "primary"}
            aria-disabled={isBusy}
            onClick={() => void tryMethod(({ signInWithPasskey }) => signInWithPasskey())}
          >
            Use a passkey
          </Button>
        )}
        {methods?.password && (
          <SubmitForm button="Continue" isBusy={isBusy} onSubmit={(form) => void signIn(fieldOf(form, "password"))}>
            <input type="hidden" name="username" autoComplete="username" value={person.email} />
            <TextField
              ref={focusFirst}
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          </SubmitForm>
        )}
        {methods?.google && (
          <Button
            size="lg"
            aria-disabled={isBusy}
            onClick={() => void tryMethod(({ signInWithGoogle }) => signInWithGoogle())}
          >
            Sign in with Google
          </Button>
        )}
      </div>
    </>
  );
}
