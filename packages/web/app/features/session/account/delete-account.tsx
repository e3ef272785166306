import { text } from "@tintype/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { fieldOf, TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { AttemptError, attemptErrorId, useAttempt } from "../attempt.tsx";
import type { Person } from "../port.ts";

type Props = {
  person: Person;
  /** The person's plan, which ends with the account. */
  children: ReactNode;
};

const anotherEmail = "This is not the email of your account.";

/** The button and its dialog, which asks the person to type their email. */
export function DeleteAccount({ person, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setIsOpen(true)}>
        Delete Account
      </Button>
      <Dialog title="Delete Account" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <DeleteForm person={person} onCancel={() => setIsOpen(false)}>
          {children}
        </DeleteForm>
      </Dialog>
    </>
  );
}

function DeleteForm({ person, children, onCancel }: Props & { onCancel(): void }) {
  const notify = useToasts();
  const { error, setError, isBusy, attempt } = useAttempt();

  async function remove(email: string) {
    if (!isSame(email, person.email)) return setError(anotherEmail);
    const isDeleted = await attempt({
      fallback: text.somethingWrong,
      action: ({ deleteAccount }) => deleteAccount(email.trim()),
    });
    if (isDeleted) notify.success("Your account has been deleted.");
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void remove(fieldOf(new FormData(event.currentTarget), "email"));
      }}
    >
      <div className="mb-5 space-y-3 text-sm text-muted">{children}</div>
      <AttemptError sentence={error} />
      <TextField
        label="Enter your email to confirm"
        name="email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint={person.email}
        problemId={error === anotherEmail ? attemptErrorId : undefined}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button size="lg" onClick={onCancel}>
          Keep my account
        </Button>
        <Button type="submit" size="lg" kind="primary" aria-disabled={isBusy}>
          {isBusy ? text.processing : "Delete Account"}
        </Button>
      </div>
    </form>
  );
}

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
