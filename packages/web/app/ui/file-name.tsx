import { joinClasses } from "../lib/join-classes.ts";

/** Names up to this length are not shortened: they fit nearly everywhere. Characters. */
const shortest = 24;
/** The part that is always visible: the extension, and the ending that distinguishes `-edited` from `-original`. Characters. */
const endLength = 12;

/** A file name on one line. A long one is truncated in the middle: `IMG_2026…-edited.jpg`. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const characters = [...name];
  if (characters.length <= shortest)
    return (
      <span dir="auto" className={joinClasses("block truncate text-left", className)}>
        {name}
      </span>
    );
  return (
    <span dir="auto" title={name} className={joinClasses("flex min-w-0 text-left", className)}>
      <span className="truncate whitespace-pre">{characters.slice(0, -endLength).join("")}</span>
      <span className="shrink-0 whitespace-pre">{characters.slice(-endLength).join("")}</span>
    </span>
  );
}
