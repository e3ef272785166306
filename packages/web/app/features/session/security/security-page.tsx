import { text } from "@tintype/contract";
import { useCallback } from "react";
import { useRead } from "../../../lib/use-read.ts";
import { Button } from "../../../ui/button.tsx";
import { useSession } from "../session-context.tsx";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { Google } from "./google.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";

/** Sign-in methods: passkeys, the second factor, and the signed-in browsers. */
export function SecurityPage() {
  const session = useSession();
  const load = useCallback(async () => {
    const { factors } = await session.load();
    return factors ? { factors, ...(await factors.read()) } : undefined;
  }, [session]);
  const { data, problem, read } = useRead(load);

  if (problem)
    return (
      <div role="alert">
        <p className="text-sm text-accent-ink">{text.somethingWrong}</p>
        <Button className="mt-3" onClick={() => void read()}>
          Try again
        </Button>
      </div>
    );
  if (!data) return <p className="text-muted">Loading...</p>;
  const { factors, hasPassword, hasGoogle, hasApp, passkeys, sessions } = data;
  return (
    <div className="max-w-3xl divide-y divide-line">
      <Passkeys factors={factors} passkeys={passkeys} onChanged={read} />
      <AuthenticatorApp factors={factors} hasPassword={hasPassword} hasApp={hasApp} onChanged={read} />
      {factors.linkGoogle && <Google onLink={factors.linkGoogle} isLinked={hasGoogle} />}
      <Sessions factors={factors} sessions={sessions} onChanged={read} />
    </div>
  );
}
