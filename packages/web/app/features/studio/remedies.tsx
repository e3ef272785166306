import { Link } from "react-router";
import { joinClasses } from "../../lib/join-classes.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import type { Remedy } from "./state/studio-state.ts";
import { useStudio } from "./studio-context.tsx";

/** The next steps that a message offers, as buttons. */
export function Remedies({ remedies, className }: { remedies: readonly Remedy[]; className?: string }) {
  if (remedies.length === 0) return null;
  return (
    <ul className={joinClasses("flex flex-wrap gap-2", className)}>
      {remedies.map((remedy) => (
        <li key={remedy.kind === "factor" ? remedy.factor : remedy.label}>
          <RemedyButton remedy={remedy} />
        </li>
      ))}
    </ul>
  );
}

function RemedyButton({ remedy }: { remedy: Remedy }) {
  const studio = useStudio();
  switch (remedy.kind) {
    case "factor": {
      const { factor } = remedy;
      const choose = () =>
        studio.dispatch({ type: "setting-changed", tool: "upscale", patch: { scale_factor: String(factor) } });
      return (
        <Button size="sm" onClick={choose}>
          {factor}× fits
        </Button>
      );
    }
    case "send":
      return (
        <Button size="sm" onClick={() => studio.act((work) => work.submit(remedy.count))}>
          {remedy.label}
        </Button>
      );
    case "sign-up":
      return (
        <Button size="sm" onClick={studio.signUp}>
          {remedy.label}
        </Button>
      );
    case "link":
      return (
        <Link to={remedy.to} className={buttonClasses({ size: "sm" })}>
          {remedy.label}
        </Link>
      );
  }
}
