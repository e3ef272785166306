import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ActionForm } from "./form.tsx";

type Props = {
  /** The label of the button that opens it. */
  label: string;
  /** The accessible name of that button, in place of the label. */
  "aria-label"?: string | undefined;
  isDanger?: boolean;
  title: string;
  words: string;
  /** The label of the button that submits. */
  button: string;
  /** Performs the action. The dialog shows its error, and closes when it has succeeded. */
  action(form: FormData): Promise<unknown>;
  children?: ReactNode;
};

/** A button that opens a dialog which asks for confirmation of one API call. */
export function ConfirmDialog({ label, isDanger = false, title, words, button, action, children, ...named }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind={isDanger ? "danger" : "secondary"} onClick={() => setIsOpen(true)} {...named}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <ActionForm
          button={button}
          action={async (form) => {
            await action(form);
            setIsOpen(false);
          }}
          header={<p className="text-sm text-muted wrap-anywhere">{words}</p>}
        >
          {children}
        </ActionForm>
      </Dialog>
    </>
  );
}
