import { Button } from "../../../ui/button.tsx";

/** Always there, as docs/product.md has it; where the operator has set up no Google, pressing it says so. */
export function GoogleButton({ isBusy, onClick }: { isBusy: boolean; onClick(): void }) {
  return (
    <Button size="lg" className="w-full" aria-disabled={isBusy} onClick={onClick}>
      Sign in with Google
    </Button>
  );
}
