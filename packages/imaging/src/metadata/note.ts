import { type Group, groups } from "./group.ts";
import type { Fields } from "./select.ts";

/** The report's sentences: which metadata was kept and which was removed. Undefined if there is nothing to report. */
export function describeMetadata(found: ReadonlySet<Group>, fields: Fields | undefined): string | undefined {
  const kept = new Set([...(fields?.exif ?? []), ...(fields?.xmp ?? [])].map(({ group }) => group));
  return sentences(kept, new Set([...found].filter((group) => !kept.has(group))));
}

function sentences(kept: ReadonlySet<string>, removed: ReadonlySet<string>): string | undefined {
  const list = (some: ReadonlySet<string>) => groups.filter((group) => some.has(group)).join(", ");
  const sentences = [
    ...(kept.size > 0 ? [`Kept: ${list(kept)}.`] : []),
    ...(removed.size > 0 ? [`Removed: ${list(removed)}.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

const pattern = /^(?:Kept: ([^.]+)\.)?(?:(?:^| )Removed: ([^.]+)\.)?$/;

/** Merges the notes of two steps: what the second one kept, and what either removed. */
export function joinMetadataNotes(first: readonly string[], second: readonly string[]): string[] {
  const read = (notes: readonly string[]) => notes.flatMap((note) => (note === "" ? [] : (pattern.exec(note) ?? [])));
  const others = [...first, ...second].filter((note) => note === "" || !pattern.test(note));
  const [, , removedBefore] = read(first);
  const [, kept, removed] = read(second);
  const split = (list: string | undefined) => list?.split(", ") ?? [];
  const removedInAll = new Set([...split(removedBefore), ...split(removed)]);
  const [, keptBefore] = read(first);
  // A step without a note found no metadata, so the previous note still applies: no step drops metadata without
  // reporting it.
  const joined = sentences(new Set(split(kept ?? (removed === undefined ? keptBefore : undefined))), removedInAll);
  return joined === undefined ? others : [...others, joined];
}
