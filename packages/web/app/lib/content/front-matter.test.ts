import { expect, test } from "vitest";
import { z } from "zod";
import { readFrontMatter } from "./front-matter.ts";

const schema = z.strictObject({ title: z.string(), date: z.iso.date() });
const read = (source: string) => readFrontMatter(schema, { file: "content/a.md", source });

test("a head is read, a value may hold colons, and the body is what follows", () => {
  const source = "---\ntitle: What is PNG? One: every pixel\ndate: 2025-05-21\n---\n\nText with --- in it.\n";
  expect(read(source)).toEqual({
    head: { title: "What is PNG? One: every pixel", date: "2025-05-21" },
    body: "\nText with --- in it.\n",
  });
});

test("files from another system, with other ends of lines, are read the same", () => {
  expect(read("---\r\ntitle: A\r\ndate: 2025-05-21\r\n---\r\nText").head).toEqual({ title: "A", date: "2025-05-21" });
});

test.each([
  ["no head at all", "Text", "no front matter"],
  ["a line that is no field", "---\ntitle\n---\n", '"title" is not "name: value"'],
  ["a field that is missing", "---\ntitle: A\n---\n", "date"],
  ["a field that is not known", "---\ntitle: A\ndate: 2025-05-21\nauthor: B\n---\n", "author"],
  ["a date that is none", "---\ntitle: A\ndate: May 21\n---\n", "date"],
])("%s stops the build, and the file is named", (_, source, told) => {
  expect(() => read(source)).toThrow(new RegExp(`content/a[.]md: .*${told.replace(/[.*+?^$()|[\]\\]/g, "\\$&")}`, "s"));
});
