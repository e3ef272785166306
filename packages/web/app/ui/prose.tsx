import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { joinClasses } from "../lib/join-classes.ts";

/** HTML rendered from our own Markdown at build time. Internal links are followed by the router, so the studio keeps its pictures. */
export function Prose({ html, className }: { html: string; className?: string }) {
  const navigate = useNavigate();
  function onClick(event: MouseEvent<HTMLDivElement>) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlainClick(event) || link.origin !== window.location.origin || link.target) return;
    event.preventDefault();
    void navigate(link.pathname + link.search + link.hash);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the interactive elements are the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div
      className={joinClasses("prose", className)}
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own files, rendered at build time, raw HTML refused
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** False for clicks that open a new tab or window. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
