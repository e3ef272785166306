import type { z } from "zod";

/**
 * A content file's front matter, validated against a schema, and its body. The front matter stands between two lines
 * of `---`, with one `name: value` per line and no other YAML. List values are separated by commas where the schema
 * splits them.
 * @throws Error naming the file, when the front matter is missing or invalid, which fails the build
 */
export function readFrontMatter<Schema extends z.ZodType>(
  schema: Schema,
  { file, source }: { file: string; source: string },
): { head: z.infer<Schema>; body: string } {
  const [, block, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? [];
  if (block === undefined || body === undefined) throw new Error(`${file}: no front matter`);
  const fields = block.split(/\r?\n/).map((line) => {
    const [, name, value] = /^([a-z_]+): (.+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`${file}: "${line}" is not "name: value"`);
    return [name, value?.trim()] as const;
  });
  const parsed = schema.safeParse(Object.fromEntries(fields));
  if (!parsed.success)
    throw new Error(
      `${file}: ${parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}`,
    );
  return { head: parsed.data, body };
}
