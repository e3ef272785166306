import { text } from "@tintype/contract";
import { useState } from "react";
import { hasPasskeys } from "../../../lib/has-passkeys.ts";
import { Button } from "../../../ui/button.tsx";
import { Tabs, tabId } from "../../../ui/tabs.tsx";
import { AttemptError, useAttempt } from "../attempt.tsx";
import { useSession } from "../session-context.tsx";
import type { DialogRequest } from "../session-state.ts";
import { CodeForm } from "./code-form.tsx";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { LogInForm } from "./log-in-form.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

type Tab = NonNullable<DialogRequest["tab"]>;

const tabs = [
  { value: "login", label: "Log In" },
  { value: "signup", label: "Sign Up" },
] as const satisfies ReadonlyArray<{ value: Tab; label: string }>;
const panelId = "sign-in-options";
/** Why nobody creates an account here, or only the invited. */
const refusals = {
  closed: "This service takes no new accounts. Please ask the people who run it.",
  invite: "You need an invitation to create an account here. Please ask the people who run this service.",
  domain: undefined,
  open: undefined,
};

type Props = { [Name in "tab" | "reason" | "problem" | "offer"]: DialogRequest[Name] | undefined };

/** Log in, sign up, or Google; and the forgotten password form. */
export function SignInOptions({ tab: first = "login", reason, problem, offer }: Props) {
  const session = useSession();
  const { work, error, setError, isBusy, attempt, passwordMinLength } = useAttempt(problem);
  const [tab, setTab] = useState<Tab>(first);
  const [isForgotten, setIsForgotten] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [email, setEmail] = useState("");
  const form = { email, setEmail, isBusy };
  const refused = work && !work.access.invitation ? refusals[work.access.sign_up] : undefined;

  function leaveFor(go: () => void) {
    setError(undefined);
    go();
  }

  if (isForgotten)
    return (
      <ForgottenPassword
        {...form}
        error={error}
        onSend={() =>
          attempt({ fallback: text.somethingWrong, action: ({ requestPasswordReset }) => requestPasswordReset(email) })
        }
        onBack={() => leaveFor(() => setIsForgotten(false))}
      />
    );
  if (needsCode)
    return (
      <CodeForm
        error={error}
        isBusy={isBusy}
        onSubmit={(code) => void attempt({ fallback: text.loginFailed, action: ({ verifyCode }) => verifyCode(code) })}
        onBack={() => leaveFor(() => setNeedsCode(false))}
      />
    );
  return (
    <>
      {reason && <p className="mb-2 text-sm text-muted">{reason}</p>}
      {offer && (
        <Button
          className="mb-2"
          onClick={() => {
            session.closeDialog();
            offer.action();
          }}
        >
          {offer.label}
        </Button>
      )}
      <div className="mb-5 border-b border-line">
        <Tabs
          label="Log in or sign up"
          tabs={tabs}
          value={tab}
          onChoose={(next) => leaveFor(() => setTab(next))}
          panelId={panelId}
        />
      </div>
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(panelId, tab)}>
        <AttemptError sentence={error} />
        {tab === "login" ? (
          <LogInForm
            {...form}
            onSubmit={(password) =>
              void attempt({
                fallback: text.loginFailed,
                async action({ signIn }) {
                  if ((await signIn({ email, password })) === "code-needed") setNeedsCode(true);
                },
              })
            }
            onForgotten={() => leaveFor(() => setIsForgotten(true))}
          />
        ) : refused ? (
          <p className="text-sm text-muted">{refused}</p>
        ) : (
          <SignUpForm
            {...form}
            passwordMinLength={passwordMinLength}
            domains={work?.access.domains ?? []}
            isMismatch={error === text.passwordsDiffer}
            onSubmit={({ name, password, confirmation }) => {
              if (password !== confirmation) return setError(text.passwordsDiffer);
              void attempt({ fallback: text.signupFailed, action: ({ signUp }) => signUp({ name, email, password }) });
            }}
          />
        )}
      </div>
      <p className="my-4 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        Or
      </p>
      <div className="flex flex-col gap-3">
        {/* Always shown, as docs/product.md requires; if the operator has not set up Google, pressing it says so. */}
        <Button
          size="lg"
          aria-disabled={isBusy}
          onClick={() =>
            void attempt({ fallback: text.googleFailed, action: ({ signInWithGoogle }) => signInWithGoogle() })
          }
        >
          Sign in with Google
        </Button>
        {tab === "login" && work?.factors && hasPasskeys() && (
          <Button
            size="lg"
            aria-disabled={isBusy}
            onClick={() =>
              void attempt({ fallback: text.loginFailed, action: ({ signInWithPasskey }) => signInWithPasskey() })
            }
          >
            Sign in with a passkey
          </Button>
        )}
      </div>
      <p className="mt-5 text-center text-xs text-muted">
        By continuing, you agree to our <TextLink to="/terms">Terms</TextLink> and{" "}
        <TextLink to="/policy">Privacy Policy</TextLink>
      </p>
    </>
  );
}

/** Opens in another tab, so the form keeps its input. */
function TextLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="underline underline-offset-2 hover:text-ink">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
