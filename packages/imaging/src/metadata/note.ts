import { type MetadataGroup, metadataGroups, type Note } from "@tintype/contract";
import type { Fields } from "./select.ts";

type MetadataNote = Extract<Note, { code: "metadata" }>;
const isOfMetadata = (note: Note): note is MetadataNote => note.code === "metadata";

/** The note on the metadata that was kept and removed. Undefined if there is nothing to report. */
export function describeMetadata(found: ReadonlySet<MetadataGroup>, fields: Fields | undefined): Note | undefined {
  const kept = new Set([...(fields?.exif ?? []), ...(fields?.xmp ?? [])].map(({ group }) => group));
  return noteOn(kept, new Set([...found].filter((group) => !kept.has(group))));
}

/** The groups in the order in which notes list them. */
const groups = Object.keys(metadataGroups) as MetadataGroup[];

function noteOn(kept: ReadonlySet<MetadataGroup>, removed: ReadonlySet<MetadataGroup>): Note | undefined {
  if (kept.size === 0 && removed.size === 0) return undefined;
  const inOrder = (some: ReadonlySet<MetadataGroup>) => groups.filter((group) => some.has(group));
  return { code: "metadata", kept: inOrder(kept), removed: inOrder(removed) };
}

/** Merges the notes of two steps: what the second one kept, and what either removed. */
export function joinMetadataNotes(first: readonly Note[], second: readonly Note[]): Note[] {
  const others = [...first, ...second].filter((note) => !isOfMetadata(note));
  const [before, after] = [first.find(isOfMetadata), second.find(isOfMetadata)];
  // A step without a note found no metadata, so the previous note still applies: no step drops metadata without
  // reporting it.
  const kept = new Set((after ?? before)?.kept);
  const joined = noteOn(kept, new Set([...(before?.removed ?? []), ...(after?.removed ?? [])]));
  return joined === undefined ? others : [...others, joined];
}
