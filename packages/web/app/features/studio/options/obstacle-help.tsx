import { CopyButton } from "../../../ui/copy-button.tsx";
import { Remedies } from "../remedies.tsx";
import type { Obstacle } from "../state/studio-state.ts";

/** The next steps from an obstacle, and the reference that an operator wants. Default export: it is loaded by `lazy`. */
export default function ObstacleHelp({ obstacle: { reference, remedies = [] } }: { obstacle: Obstacle }) {
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
