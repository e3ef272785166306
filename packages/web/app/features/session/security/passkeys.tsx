import { formatDay } from "@tintype/contract";
import { useState } from "react";
import { hasPasskeys } from "../../../lib/has-passkeys.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Factors, Passkey } from "../port.ts";
import { browserName } from "./browser-name.ts";
import { FactorForm } from "./factor-form.tsx";
import { Section } from "./section.tsx";

type Props = { factors: Factors; passkeys: readonly Passkey[]; onChanged(): Promise<void> };

const maxNameLength = 60;

export function Passkeys({ factors, passkeys, onChanged }: Props) {
  const notify = useToasts();
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <Section
      title="Passkeys"
      introduction="Sign in with your device’s fingerprint, face or PIN instead of a password. A passkey only works on this site, so it cannot be phished."
      button={hasPasskeys() && <Button onClick={() => setIsAdding(true)}>Add a passkey</Button>}
    >
      {!hasPasskeys() && (
        <p className="mt-3 text-sm text-muted">
          This browser offers passkeys only over a secure connection (an address that starts with https://).
        </p>
      )}
      {passkeys.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-4">
              <div className="mr-auto min-w-0">
                <h3 className="font-sans text-base font-medium tracking-normal wrap-anywhere">{passkey.name}</h3>
                <p className="text-sm text-muted">Added on {formatDay(passkey.createdAt)}</p>
              </div>
              <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Dialog title="Add a passkey" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <FactorForm
          button="Continue"
          action={async (name) => {
            await factors.addPasskey(name);
            setIsAdding(false);
            notify.success("Passkey added.");
            await onChanged();
          }}
        >
          <p className="text-sm text-muted">
            Your browser will ask where to save it: on this device, a phone or a security key.
          </p>
          <TextField
            label="Name"
            name="value"
            hint="To recognise it in this list."
            defaultValue={browserName(navigator.userAgent)}
            maxLength={maxNameLength}
            required
          />
        </FactorForm>
      </Dialog>
      <Dialog title="Remove passkey" isOpen={removed !== undefined} onClose={() => setRemoved(undefined)}>
        <FactorForm
          button="Remove"
          action={async () => {
            if (removed) await factors.removePasskey(removed.id);
            setRemoved(undefined);
            await onChanged();
          }}
        >
          <p className="text-sm text-muted wrap-anywhere">
            “{removed?.name}” can no longer be used to sign in. Delete it on the device too, or the device will keep
            offering it.
          </p>
        </FactorForm>
      </Dialog>
    </Section>
  );
}
