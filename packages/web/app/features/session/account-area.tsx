import { lazy, Suspense } from "react";
import { Button } from "../../ui/button.tsx";
import { useSession, useSessionState } from "./session-context.tsx";

const AccountMenu = lazy(() => import("./header/account-menu.tsx"));
const LoginDialog = lazy(() => import("./dialog/login-dialog.tsx"));

/** The header's end: the way in, or what is left and the menu of who is in. And the login dialog, once it is asked for. */
export function AccountArea() {
  const session = useSession();
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  const isAsked = useSessionState(({ dialog }) => dialog !== undefined);
  return (
    <>
      {isSignedIn ? (
        <Suspense fallback={null}>
          <AccountMenu />
        </Suspense>
      ) : (
        // Where somebody was signed in before, the button keeps its place and waits until that is known.
        <Button size="sm" className="in-data-session:invisible" onClick={() => session.openDialog()}>
          Get Started
        </Button>
      )}
      {/* A boundary of its own: with the button in it, React would hide the button while the dialog is loaded, and the
          focus, which the dialog gives back when it closes, would be lost. */}
      {isAsked && (
        <Suspense fallback={null}>
          <LoginDialog />
        </Suspense>
      )}
    </>
  );
}
