import { useEffect, useEffectEvent } from "react";
import darkroom from "../../../pictures/darkroom-800.webp";
import { Dialog } from "../../../ui/dialog.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";
import { useSession, useSessionState } from "../session-context.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { SignInOptions } from "./sign-in-options.tsx";

/** The login dialog, over the page that opened it. A default export because `lazy` loads it. */
export default function LoginDialog() {
  const session = useSession();
  const request = useSessionState(({ dialog }) => dialog);
  const isSignedIn = useSessionState(({ visitor }) => visitor.kind === "person");
  const person = useSessionState(({ visitor }) => (visitor.kind === "person" ? visitor.person : undefined));
  const isOpen = request?.isOpen ?? false;
  const isAgain = request?.isAgain === true;

  // However the sign-in happened: a form here, Google's window, another tab.
  const succeed = useEffectEvent(() => {
    session.closeDialog();
    request?.onSuccess?.();
  });
  useEffect(() => {
    if (isOpen && isSignedIn && !isAgain) succeed();
  }, [isOpen, isSignedIn, isAgain]);

  function close() {
    if (!session.read().dialog?.isOpen) return; // the element's own close event, after ours
    session.closeDialog();
    request?.onClose?.();
  }

  if (isAgain)
    return (
      <Dialog title="Confirm it’s you" isOpen={isOpen && person !== undefined} onClose={close}>
        {person && <SignInAgain person={person} onDone={succeed} />}
      </Dialog>
    );
  return (
    <Dialog
      title={<Wordmark className="text-3xl" />}
      isOpen={isOpen}
      onClose={close}
      aside={<LoginBanner />}
      className="max-w-md lg:max-w-4xl"
    >
      <SignInOptions tab={request?.tab} reason={request?.reason} problem={request?.problem} offer={request?.offer} />
    </Dialog>
  );
}

/** Beside the form on large screens. Lazy: small screens do not load the picture. */
function LoginBanner() {
  return (
    <div aria-hidden className="plate relative hidden overflow-hidden rounded-l-lg lg:block">
      <img src={darkroom} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
      <div className="plate-line absolute inset-4" />
    </div>
  );
}
