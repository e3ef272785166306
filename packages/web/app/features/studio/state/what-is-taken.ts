import { formats, type Limits } from "@tintype/contract";

/** What a drop zone takes, for people: formats and limits. */
export function whatIsTaken({ megabytesPerFile, filesPerBatch }: Limits): string {
  const names = Object.values(formats).map(({ label }) => label);
  return `${names.join(", ")}. Up to ${megabytesPerFile} MB each, ${filesPerBatch} at a time.`;
}
