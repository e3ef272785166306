import { Button } from "../../../ui/button.tsx";

/** Always shown, as docs/product.md requires; if the operator has not set up Google, pressing it says so. */
export function GoogleButton({ isBusy, onClick }: { isBusy: boolean; onClick(): void }) {
  return (
    <Button size="lg" className="w-full" aria-disabled={isBusy} onClick={onClick}>
      Sign in with Google
    </Button>
  );
}
