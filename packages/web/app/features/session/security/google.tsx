import { text } from "@tintype/contract";
import { useSearchParams } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { useAttempt } from "../attempt.tsx";
import { Section } from "./section.tsx";

const notLinked = "Google was not linked: the Google account must have the same email as this one, verified by Google.";

/** Links Google to an account that was created with a password. */
export function Google({ isLinked, onLink }: { isLinked: boolean; onLink(): Promise<void> }) {
  const [search] = useSearchParams();
  const { error, isBusy, attempt } = useAttempt(search.has("error") ? notLinked : undefined);
  return (
    <Section
      title="Google"
      introduction={
        isLinked
          ? "“Sign in with Google” signs in to this account."
          : "Link it to sign in to this account with Google too."
      }
      button={
        !isLinked && (
          <Button
            aria-disabled={isBusy}
            onClick={() => void attempt({ fallback: text.googleFailed, action: () => onLink() })}
          >
            Link Google
          </Button>
        )
      }
    >
      <div role="alert">{error && <p className="mt-3 text-sm text-accent-ink">{error}</p>}</div>
    </Section>
  );
}
