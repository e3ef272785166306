import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/load-part.ts";
import { Button } from "../../ui/button.tsx";
import { useSession, useSessionState } from "./session-context.tsx";

const AccountMenu = lazyPart(() => import("./header/account-menu.tsx"));
const LoginDialog = lazyPart(() => import("./dialog/login-dialog.tsx"));

/** The header's end: the way in, or what is left and the menu of who is in. And the login dialog, once it is asked for. */
export function AccountArea() {
  const session = useSession();
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  // Nobody knows whether it is the person of the earlier sign-in: neither their menu nor a guest's way in is right.
  const isCutOff = useSessionState(({ visitor, problem }) => visitor.kind === "unknown" && problem !== undefined);
  const [hasRetried, setHasRetried] = useState(false);
  const isAsked = useSessionState(({ dialog }) => dialog !== undefined);
  return (
    <>
      <Suspense fallback={null}>
        {isSignedIn ? (
          <AccountMenu takesFocus={hasRetried} />
        ) : isCutOff ? (
          <Button
            size="sm"
            onClick={() => {
              setHasRetried(true);
              void session.retry();
            }}
          >
            Try again
          </Button>
        ) : (
          // In a browser with an earlier sign-in, the button keeps its place until the session is known.
          <Button size="sm" className="in-data-session:invisible" onClick={() => session.openDialog()}>
            Get Started
          </Button>
        )}
      </Suspense>
      {/* By itself: while it loads, the button that asked for it must stay where it is and keep the focus. */}
      <Suspense fallback={null}>{isAsked && <LoginDialog />}</Suspense>
    </>
  );
}
