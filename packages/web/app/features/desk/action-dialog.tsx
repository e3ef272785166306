import { type ReactNode, useState } from "react";
import { ActForm } from "../../ui/act-form.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ReasonField } from "./reason-field.tsx";

type Props = {
  /** The label of the button that opens it, and the dialog's title. */
  title: string;
  words: string;
  button: string;
  /** Performs the action, with the reason that was typed. */
  act(reason: string): Promise<void>;
  /** The initial value of the reason field. */
  usualReason?: string;
  isDanger?: boolean;
  "aria-label"?: string;
  children?: ReactNode;
};

/** A button that opens a dialog for a change that needs a reason. */
export function ActionDialog({
  title,
  words,
  button,
  act,
  usualReason = "",
  isDanger = false,
  children,
  ...named
}: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind={isDanger ? "danger" : "secondary"} onClick={() => setIsOpen(true)} {...named}>
        {title}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <ReasonForm
          words={words}
          button={button}
          usualReason={usualReason}
          act={async (reason) => {
            await act(reason);
            setIsOpen(false);
          }}
        >
          {children}
        </ReasonForm>
      </Dialog>
    </>
  );
}

function ReasonForm({
  words,
  button,
  act,
  usualReason,
  children,
}: Pick<Props, "words" | "button" | "act" | "children"> & { usualReason: string }) {
  const [reason, setReason] = useState(usualReason);
  return (
    <ActForm
      button={button}
      act={() => act(reason)}
      opening={<p className="text-sm text-muted wrap-anywhere">{words}</p>}
    >
      {children}
      <ReasonField value={reason} onChange={setReason} />
    </ActForm>
  );
}
