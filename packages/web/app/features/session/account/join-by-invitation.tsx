import { Link, useNavigate } from "react-router";
import { brand } from "../../../lib/brand.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { PageHead } from "../../../ui/page-head.tsx";
import { useSession, useSessionState } from "../session-context.tsx";
import { useSessionWork } from "../use-session-work.ts";

/** Where the link of an invitation leads. The server has left the invitation in a cookie, which the sign-up sends. */
export function JoinByInvitation({ hasEnded }: { hasEnded: boolean }) {
  const session = useSession();
  const work = useSessionWork();
  const navigate = useNavigate();
  const isPerson = useSessionState(({ visitor }) => visitor.kind === "person");
  if (isPerson)
    return (
      <>
        <PageHead title="You have an account" lead="You are signed in, so there is nothing to accept." />
        <Link to="/account" className={buttonClasses({ kind: "primary", size: "lg" })}>
          Your account
        </Link>
      </>
    );
  if (hasEnded)
    return (
      <PageHead
        title="This invitation has ended"
        lead="It was used, has expired or was revoked. Please ask for another one."
      />
    );
  const invitation = work?.access.invitation;
  return (
    <>
      <PageHead
        title={invitation?.is_set_up ? `Set up ${brand.name}` : `You are invited to ${brand.name}`}
        lead={
          invitation?.is_set_up
            ? "Create the first account. It runs this installation: it can invite people and see who uses how much."
            : `Create your account${invitation?.email ? ` with ${invitation.email}` : ""}.`
        }
      />
      <Button
        kind="primary"
        size="lg"
        onClick={() => session.openDialog({ tab: "signup", onSuccess: () => void navigate("/account") })}
      >
        Create an account
      </Button>
    </>
  );
}
