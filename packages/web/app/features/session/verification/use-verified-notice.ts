import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { useToasts } from "../../../ui/toasts.tsx";
import { IdentityProblem } from "../identity-problem.ts";
import { sentenceFor } from "../sentences.ts";

/** For the page that the verification link opens: with `verified`, or with `error` if the link was already used. */
export function useVerifiedNotice(): void {
  const { pathname, search } = useLocation();
  const goTo = useNavigate();
  const notify = useToasts();
  const announce = useEffectEvent(() => {
    const said = new URLSearchParams(search);
    if (!said.has("verified")) return;
    if (said.has("error")) notify.error(sentenceFor(new IdentityProblem("verification-link-spent"), { fallback: "" }));
    else notify.success("Your email is verified.");
    void goTo(pathname, { replace: true });
  });
  useEffect(() => announce(), []);
}
