import { useStudioState } from "./studio-context.tsx";

/** What a screen reader hears of the studio. */
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
