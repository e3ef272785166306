import { limits, text } from "@tintype/contract";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { useAttempt } from "../attempt.tsx";
import { useSessionState } from "../session-context.tsx";

/** Says that the plan's credits await email verification, and sends the link again. A default export because `lazy` loads it. */
export default function VerifyBanner() {
  const { error, isBusy, attempt } = useAttempt();
  const [isSent, setIsSent] = useState(false);
  const email = useSessionState(({ visitor }) => (visitor.kind === "person" ? visitor.person.email : ""));

  async function sendAgain() {
    setIsSent(false);
    setIsSent(
      await attempt({
        fallback: text.somethingWrong,
        async action({ sendVerification, refreshUsage }) {
          await sendVerification();
          await refreshUsage();
        },
      }),
    );
  }

  return (
    <section aria-label="Verify your email" className="border-b border-line bg-sunken text-sm">
      <div className="page-width flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
        <p className="mr-auto wrap-anywhere">
          Verify your email to get {limits.hobby.credits} credits a month: follow the link we sent to {email}. Until
          then you have {limits.guest.credits}.
        </p>
        <div role="status" className="text-muted">
          {isSent && "Sent. Check your inbox."}
        </div>
        <div role="alert" className="text-accent-ink">
          {error}
        </div>
        <Button size="sm" aria-disabled={isBusy} onClick={() => void sendAgain()}>
          {isBusy ? text.processing : "Send again"}
        </Button>
      </div>
    </section>
  );
}
