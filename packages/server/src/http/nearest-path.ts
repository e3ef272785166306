import { nearestName } from "@tintype/contract";
import type { Routes } from "./methods.ts";

/** `compres` is found, and so is `job` for `jobs`; a wrong word is not. */
const maxEdits = 2;
/** Attack: comparing takes time in proportion to the lengths and to the number of parts. */
const maxPathLength = 200;
const maxParts = 8;

/**
 * The address of the API that is most likely meant by an unknown one: a misspelt one, one with further parts, one with a version
 * (`/api/v1/compress`), or one without `/api`. Its parameters are those that were sent.
 */
export function createNearestPath(routes: Routes): (path: string) => string | undefined {
  const patterns = [...routes.keys()].map((url) => url.split("/").slice(2));
  return (path) => {
    // The operator's desk must not be revealed, nor where it begins.
    if (path.length > maxPathLength || /^\/api\/admin(\/|$)/.test(path)) return undefined;
    const sent = path.split("/").filter(Boolean);
    const parts = sent[0] === "api" ? sent.slice(1) : sent;
    const named = /^v\d/.test(parts[0] ?? "") ? parts.slice(1) : parts;
    if (named.length > maxParts) return undefined;
    for (let length = named.length; length > 0; length -= 1) {
      const some = named.slice(0, length);
      const known = patterns
        .filter((pattern) => pattern.length === length)
        .map((pattern) => pattern.map((part, at) => (part.startsWith(":") ? (some[at] ?? part) : part)).join("/"));
      const meant = nearestName(some.join("/"), known, maxEdits);
      if (meant !== undefined) return `/api/${meant}`;
    }
    return undefined;
  };
}
