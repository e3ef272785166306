import { brand } from "../lib/brand.ts";
import { joinClasses } from "../lib/join-classes.ts";

/** The product's name, in the site's only gradient. */
export function Wordmark({ className }: { className?: string }) {
  return <span className={joinClasses("wordmark", className)}>{brand.name}</span>;
}
