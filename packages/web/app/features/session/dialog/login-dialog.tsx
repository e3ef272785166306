import { useEffect, useEffectEvent } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";
import { useSession, useSessionState } from "../session-context.tsx";
import { LoginBanner } from "./login-banner.tsx";
import { WaysIn } from "./ways-in.tsx";

/** The way in, over whatever page asked for it. Default export: it is loaded by `lazy`. */
export default function LoginDialog() {
  const session = useSession();
  const request = useSessionState(({ dialog }) => dialog);
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  const isOpen = request?.isOpen ?? false;

  // By whatever way it came about: a form here, Google's window, another tab.
  const succeed = useEffectEvent(() => {
    session.closeDialog();
    request?.onSuccess?.();
  });
  useEffect(() => {
    if (isOpen && isSignedIn) succeed();
  }, [isOpen, isSignedIn]);

  function close() {
    if (!session.read().dialog?.isOpen) return; // the element's own close event, after ours
    session.closeDialog();
    request?.onClose?.();
  }

  return (
    <Dialog
      title={<Wordmark className="text-3xl" />}
      isOpen={isOpen}
      onClose={close}
      aside={<LoginBanner />}
      className="max-w-md lg:max-w-4xl"
    >
      <WaysIn tab={request?.tab} reason={request?.reason} problem={request?.problem} />
    </Dialog>
  );
}
