import { useStudioState } from "./studio-context.tsx";

/** The studio's live region for screen readers. */
export function Announcer() {
  const announcements = useStudioState((state) => state.announcements);
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label="Progress" className="sr-only">
      {announcements.map(({ id, sentence }) => (
        <p key={id}>{sentence}</p>
      ))}
    </div>
  );
}
