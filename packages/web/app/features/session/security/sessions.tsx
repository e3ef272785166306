import { formatDay } from "@tintype/contract";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Factors, SignedIn } from "../port.ts";
import { browserName } from "./browser-name.ts";
import { FactorForm } from "./factor-form.tsx";
import { Section } from "./section.tsx";

type Props = { factors: Factors; sessions: readonly SignedIn[]; onChanged(): Promise<void> };

export function Sessions({ factors, sessions, onChanged }: Props) {
  const [ending, setEnding] = useState<SignedIn>();
  return (
    <Section
      title="Where you are signed in"
      introduction="See a browser you do not recognise? End its session and change your password."
    >
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {sessions.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-4">
            <div className="mr-auto min-w-0">
              <h3 className="font-sans text-base font-medium tracking-normal">{browserName(one.userAgent)}</h3>
              <p className="text-sm text-muted">
                {one.isCurrent
                  ? `This browser, since ${formatDay(one.createdAt)}`
                  : `Since ${formatDay(one.createdAt)}, last seen on ${formatDay(one.lastSeenAt)}`}
              </p>
            </div>
            {!one.isCurrent && (
              <Button
                size="sm"
                aria-label={`End ${browserName(one.userAgent)}, since ${formatDay(one.createdAt)}`}
                onClick={() => setEnding(one)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog title="End this session" isOpen={ending !== undefined} onClose={() => setEnding(undefined)}>
        <FactorForm
          button="End"
          action={async () => {
            if (ending) await factors.endSession(ending.id);
            setEnding(undefined);
            await onChanged();
          }}
        >
          <p className="text-sm text-muted">
            {browserName(ending?.userAgent ?? "")} is signed out immediately. Work it has started will finish.
          </p>
        </FactorForm>
      </Dialog>
    </Section>
  );
}
