import { Link } from "react-router";
import { joinClasses } from "../../../lib/join-classes.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import type { Obstacle, Remedy } from "../state/obstacle.ts";
import { useStudio } from "../work/studio-context.tsx";

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
        <Button size="sm" onClick={() => studio.submit(remedy.count, remedy.ids)}>
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

/** The remedies for an obstacle, and the reference for the operator. */
export function ObstacleHelp({ obstacle: { reference, remedies = [] } }: { obstacle: Obstacle }) {
  return (
    <>
      {reference && (
        <p className="mb-3 flex items-center gap-1 text-xs text-muted">
          Reference <code className="min-w-0 truncate">{reference}</code>
          <CopyButton text={reference} label={`Copy the reference ${reference}`} />
        </p>
      )}
      <Remedies remedies={remedies} className="mb-4" />
    </>
  );
}
