import type { PublicConfig } from "@tintype/contract";
import { Button } from "../../../ui/button.tsx";

type Props = {
  /** Undefined until they are known. */
  settings: PublicConfig["identity"] | undefined;
  isBusy: boolean;
  onClick(): void;
};

const reasonId = "no-google";

/** Always there, as SPEC.md has it; where the operator has set up no Google, it says so and cannot be pressed. */
export function GoogleButton({ settings, isBusy, onClick }: Props) {
  const isMissing = settings?.google === false;
  return (
    <>
      <Button
        size="lg"
        className="w-full"
        disabled={isBusy || isMissing}
        aria-describedby={isMissing ? reasonId : undefined}
        onClick={onClick}
      >
        Sign in with Google
      </Button>
      {isMissing && (
        <p id={reasonId} className="mt-2 text-center text-xs text-muted">
          Google is not set up on this server.
        </p>
      )}
    </>
  );
}
