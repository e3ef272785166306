import { Suspense, useState } from "react";
import { lazyChunk } from "../../lib/load-chunk.ts";
import { Button } from "../../ui/button.tsx";
import { useSession, useSessionState } from "./session-context.tsx";

const AccountMenu = lazyChunk(() => import("./header/account-menu.tsx"));
const LoginDialog = lazyChunk(() => import("./dialog/login-dialog.tsx"));

/** The end of the header: the login button, or usage and the account menu. Mounts the login dialog once it is opened. */
export function AccountArea() {
  const session = useSession();
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  // It is not known whether the earlier sign-in still holds: neither the account menu nor a guest's login button is right.
  const isCutOff = useSessionState(({ visitor, problem }) => visitor.kind === "unknown" && problem !== undefined);
  const [hasRetried, setHasRetried] = useState(false);
  const isDialogOpen = useSessionState(({ dialog }) => dialog !== undefined);
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
          // In a browser with an earlier sign-in, the button keeps its space until the session is known.
          <Button size="sm" className="in-data-session:invisible" onClick={() => session.openDialog()}>
            Get Started
          </Button>
        )}
      </Suspense>
      {/* Its own Suspense: while the dialog loads, the button that opened it must stay mounted and keep the focus. */}
      <Suspense fallback={null}>{isDialogOpen && <LoginDialog />}</Suspense>
    </>
  );
}
