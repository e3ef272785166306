import { useState } from "react";
import { renderSVG } from "uqr";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Factors } from "../port.ts";
import { FactorForm } from "./factor-form.tsx";
import { Section } from "./section.tsx";

type Props = { factors: Factors; hasPassword: boolean; hasApp: boolean; onChanged(): Promise<void> };
type DialogName = "add" | "codes" | "remove";

const titles: Record<DialogName, string> = {
  add: "Add an authenticator app",
  codes: "New recovery codes",
  remove: "Remove the app",
};

export function AuthenticatorApp({ factors, hasPassword, hasApp, onChanged }: Props) {
  const [dialog, setDialog] = useState<DialogName>();
  const close = () => setDialog(undefined);
  return (
    <Section
      title="Authenticator app"
      introduction={
        hasPassword
          ? "After your password, you enter a six-digit code from an app on your phone. Nobody can get in with your password alone."
          : "You sign in without a password, so the second step is set in the account you sign in with."
      }
      button={
        hasPassword &&
        (hasApp ? (
          <>
            <Button onClick={() => setDialog("codes")}>New recovery codes</Button>
            <Button onClick={() => setDialog("remove")}>Remove the app</Button>
          </>
        ) : (
          <Button onClick={() => setDialog("add")}>Add an app</Button>
        ))
      }
    >
      {hasApp && <p className="mt-4 font-medium">On. Signing in takes your password and a code.</p>}
      <Dialog title={dialog ? titles[dialog] : ""} isOpen={dialog !== undefined} onClose={close}>
        {dialog === "add" && <AddApp factors={factors} onChanged={onChanged} onClose={close} />}
        {dialog === "codes" && <NewCodes factors={factors} onClose={close} />}
        {dialog === "remove" && (
          <FactorForm
            button="Remove"
            action={async (password) => {
              await factors.removeApp(password);
              close();
              await onChanged();
            }}
          >
            <p className="text-sm text-muted">
              You will then sign in with your password alone. Your recovery codes will stop working.
            </p>
            <PasswordField />
          </FactorForm>
        )}
      </Dialog>
    </Section>
  );
}

const PasswordField = () => (
  <TextField label="Password" name="value" type="password" autoComplete="current-password" required />
);

/** Password, then the QR code and a first code of the app, then the recovery codes. Nothing takes effect before the first code. */
function AddApp({ factors, onChanged, onClose }: Pick<Props, "factors" | "onChanged"> & { onClose(): void }) {
  const notify = useToasts();
  const [setup, setSetup] = useState<{ uri: string; recoveryCodes: string[] }>();
  const [isOn, setIsOn] = useState(false);
  if (!setup)
    return (
      <FactorForm button="Continue" action={async (password) => setSetup(await factors.beginApp(password))}>
        <PasswordField />
      </FactorForm>
    );
  if (isOn) return <RecoveryCodes codes={setup.recoveryCodes} onClose={onClose} />;
  return (
    <FactorForm
      button="Turn on"
      action={async (code) => {
        await factors.finishApp(code);
        setIsOn(true);
        notify.success("Your authenticator app is set up.");
        await onChanged();
      }}
    >
      <p className="text-sm text-muted">Scan this with your app, or enter the key by hand.</p>
      <QrCode uri={setup.uri} />
      <div className="flex items-center gap-2">
        <code className="min-w-0 text-sm break-all">{secretIn(setup.uri)}</code>
        <CopyButton text={secretIn(setup.uri)} label="Copy the key" />
      </div>
      <TextField
        label="Code from the app"
        name="value"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
      />
    </FactorForm>
  );
}

function NewCodes({ factors, onClose }: Pick<Props, "factors"> & { onClose(): void }) {
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FactorForm
      button="Create new codes"
      action={async (password) => setCodes(await factors.renewRecoveryCodes(password))}
    >
      <p className="text-sm text-muted">Your current codes will stop working.</p>
      <PasswordField />
    </FactorForm>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        If you lose your phone, sign in with one of these codes. Each works once. Keep them with your passwords: they
        will not be shown again.
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg border border-line bg-sunken p-4">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-sm">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CopyButton text={codes.join("\n")} label="Copy the recovery codes" />
        <Button kind="primary" size="lg" onClick={onClose}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}

/** Black on white in both themes: apps cannot read inverted codes. */
function QrCode({ uri }: { uri: string }) {
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return (
    <img src={picture} alt="QR code for the authenticator app" className="size-48 self-center rounded-md bg-white" />
  );
}

const secretIn = (uri: string): string => new URL(uri).searchParams.get("secret") ?? "";
